// The pages open without a network, once one of them has been here: they keep their models themselves.
const KEPT = "headlight-page";
const FILES = ["index.html", "lessons.html", "app.webmanifest", "icon-192.png"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES.map((file) => `./${file}`))));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const file = new URL(event.request.url).pathname.split("/").pop() || "index.html";
  if (event.request.method === "GET" && FILES.includes(file)) event.respondWith(newest(event.request, file));
});

/** What the network has, kept for later; without one what was kept. */
async function newest(request, file) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(`./${file}`, answer.clone());
    return answer;
  } catch (error) {
    const there = await cache.match(`./${file}`);
    if (there) return there;
    throw error;
  }
}
