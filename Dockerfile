# Headlight as a container: one process of the app, without rights, over a file system that cannot be written.
# compose.yaml starts several behind a proxy; docs/serve-a-university.md says how.

FROM python:3.13-slim-bookworm AS packages
WORKDIR /build
COPY requirements.txt requirements.lock pyproject.toml ./
# PyTorch's small build, for processors, from its own index; with --build-arg TORCH=gpu that of PyPI, held by hashes.
ARG TORCH=cpu
# The engine of several machines: --build-arg EXTRA=ray
ARG EXTRA=
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir pip==26.3 \
    && if [ "${TORCH}" != gpu ]; \
       then /opt/venv/bin/pip install --no-cache-dir --no-deps --index-url https://download.pytorch.org/whl/cpu torch==2.13.0 ; fi \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes --constraint requirements.lock \
       --requirement requirements.txt ${EXTRA:+--group "${EXTRA}"}

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin headlight \
    && install --directory --owner headlight --group headlight /data
COPY --from=packages /opt/venv /opt/venv
COPY .streamlit /app/.streamlit
COPY app.py /app/
COPY pages /app/pages
COPY ui /app/ui
COPY viz /app/viz
COPY models /app/models
COPY lab /app/lab
COPY lessons /app/lessons
COPY locale /app/locale
COPY docs /app/docs
WORKDIR /app
USER 10001
# What is written: trainings, rooms and short links, models of the hub. All else may be read-only.
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp \
    HEADLIGHT_LAB_RUNS=/data/lab HEADLIGHT_SHARED=/data/shared.sqlite HF_HOME=/data/hub \
    HEADLIGHT_CURATED_ONLY=1
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.headless", "true", "--server.port", "8501", "--server.address", "0.0.0.0"]
