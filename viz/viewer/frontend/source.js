// Where the numbers come from: from the server that shows the page, or out of the file that holds this script.

import { spoken, toSay, tr } from "./language.js";
import { unpack } from "./payload.js";

/** Fetch from `base`, an address that nobody can guess. */
export function serverSource(base) {
  const early = new Map(); // answers to questions that will be asked
  const ask = (path, signal) => fetch(`${base}/${path}`, { signal, cache: "no-store" });
  const get = async (path, signal) => {
    const answer = await (early.get(path) ?? ask(path, signal));
    early.delete(path);
    if (!answer.ok) throw new Error(answer.status === 404 ? tr(GONE) : await answer.text());
    return answer;
  };
  return {
    live: true,
    /** Ask already for what these choices need: three questions then take the time of one. */
    expect: ({ kind, layer, head, quantity, words, special }, signal) => {
      const paths = [aboutOf(), overviewOf(kind), headOf({ kind, layer, head, quantity, words, special })];
      for (const path of paths) {
        early.set(path, ask(path, signal));
        early.get(path).catch(() => early.delete(path)); // whoever needs it hears of the failure
      }
    },
    about: async (signal) => (await get(aboutOf(), signal)).json(),
    overview: async (kind, arrived, signal) => {
      const reader = (await get(overviewOf(kind), signal)).body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) arrived(part.value);
    },
    head: async (choice, signal) => unpack(await (await get(headOf(choice), signal)).arrayBuffer()),
    /** The address of a file to take away. */
    file: (name, choice) => `${base}/${name}?${asked({ ...choice, ...inWords() })}`,
  };
}

/**
 * Read from `contents`: {about, overviews: {kind: bytes}, heads: {"encoder 0 3": bytes}}, bytes in base64 or a view of them.
 * With `rounded`, the weights of a short text are those of its overview, and a head may have nothing more.
 */
export function embeddedSource(contents) {
  return {
    live: false,
    about: async () => contents.about,
    overview: async (kind, arrived) => arrived(new Uint8Array(bytesOf(contents.overviews[kind]))),
    head: async ({ kind, layer, head, quantity }) => {
      const content = contents.heads[`${kind} ${layer} ${head} ${quantity}`] ?? contents.heads[`${kind} ${layer} ${head}`];
      if (content !== undefined) return unpack(bytesOf(content));
      if (contents.rounded) return { arrays: {} };
      throw new Error(tr(NOT_EMBEDDED));
    },
    file: () => null,
  };
}

const GONE = toSay("The server has forgotten this sentence. Reload the page.");
const NOT_EMBEDDED = toSay("This file does not hold the numbers of this head.");

/** What is known of a model is said in words, too. */
function aboutOf() {
  const asked = new URLSearchParams(inWords()).toString();
  return asked ? `about?${asked}` : "about";
}

/** The language of an answer with words in it, where that is not English. */
function inWords() {
  return spoken() === "en" ? {} : { lang: spoken() };
}

function overviewOf(kind) {
  return `overview?${new URLSearchParams({ kind })}`;
}

function headOf(choice) {
  return `head?${asked(choice)}`;
}

function asked(choice) {
  const said = Object.entries(choice).filter(([, value]) => value !== undefined);
  return new URLSearchParams(said.map(([name, value]) => [name, written(value)]));
}

/** A choice as it stands in an address; viz/kit/parsing.py reads it. */
function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join("-") || "none" : String(value);
}

/** The bytes of base64, or of a view. */
export function bytesOf(content) {
  if (typeof content === "string") return decoded(content).buffer;
  return content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
}

/** The bytes of base64, part by part: of a hundred million letters no browser makes a list. */
function decoded(text) {
  const bytes = new Uint8Array((3 * text.length) / 4 - text.slice(-2).replaceAll(/[^=]/g, "").length);
  for (let from = 0; from < text.length; from += PART) {
    const letters = atob(text.slice(from, from + PART));
    for (let at = 0; at < letters.length; at++) bytes[(from / 4) * 3 + at] = letters.charCodeAt(at);
  }
  return bytes;
}

const PART = 4 << 18; // letters, a multiple of four
