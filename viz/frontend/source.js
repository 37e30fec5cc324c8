// Where the numbers come from: from the server that shows the page, or out of the file that holds this script.

/** Fetch from `base`, an address that nobody can guess. */
export function serverSource(base) {
  const get = async (path, signal) => {
    const answer = await fetch(`${base}/${path}`, { signal, cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status === 404 ? GONE : await answer.text());
    return answer;
  };
  return {
    live: true,
    about: async (signal) => (await get("about", signal)).json(),
    overview: async (kind, arrived, signal) => {
      const reader = (await get(`overview?${new URLSearchParams({ kind })}`, signal)).body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) arrived(part.value);
    },
    head: async (choice, signal) => (await get(`head?${asked(choice)}`, signal)).arrayBuffer(),
    /** The address of a file to take away. */
    file: (name, choice) => `${base}/${name}?${asked(choice)}`,
  };
}

/** Read from `contents`: {about, overviews: {kind: base64}, heads: {"encoder 0 3": base64}}. */
export function embeddedSource(contents) {
  return {
    live: false,
    about: async () => contents.about,
    overview: async (kind, arrived) => arrived(new Uint8Array(bytesOf(contents.overviews[kind]))),
    head: async ({ kind, layer, head, quantity }) => {
      const content = contents.heads[`${kind} ${layer} ${head} ${quantity}`] ?? contents.heads[`${kind} ${layer} ${head}`];
      if (content === undefined) throw new Error(NOT_EMBEDDED);
      return bytesOf(content);
    },
    file: () => null,
  };
}

const GONE = "The server has forgotten this sentence. Reload the page.";
const NOT_EMBEDDED = "This file does not hold the numbers of this head.";

function asked(choice) {
  return new URLSearchParams(Object.entries(choice).filter(([, value]) => value !== undefined));
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}
