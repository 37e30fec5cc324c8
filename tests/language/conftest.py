"""What the tests of languages share."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from tests.language.catalogues import template


@pytest.fixture(scope="package")
def code() -> Catalog:
    """The sentences of the code and of the cards."""
    return template()
