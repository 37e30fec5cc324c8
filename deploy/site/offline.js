// The page opens without a network, once it has been here: it keeps its models itself.
const KEPT = "headlight-page";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(["./index.html", "./app.webmanifest", "./icon-192.png"])));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const file = new URL(event.request.url).pathname.split("/").pop() || "index.html";
  if (event.request.method === "GET" && ["index.html", "app.webmanifest", "icon-192.png"].includes(file)) event.respondWith(newest(event.request, file));
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
