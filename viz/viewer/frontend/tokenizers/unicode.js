// Which characters the tokenizers of BERT drop, strip and part at: those of Unicode 8, as the library `tokenizers` has them.

/** What is dropped from a text: controls, invisible marks of format, characters for private use. */
export function isDropped(character) {
  return /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/u.test(character) && !isIn(NEWER.dropped, character);
}

/** An accent, or another mark that takes no room of its own. */
export function isAccent(character) {
  return (/\p{Mn}/u.test(character) && !isIn(NEWER.accents, character)) || /[\u1734\u{1171e}]/u.test(character);
}

/** A mark that is a word of its own: punctuation, and every sign of ASCII that is neither letter nor digit. */
export function isPunctuation(character) {
  return /[!-/:-@[-`{-~\u166d\u{111c9}]|\p{P}/u.test(character) && !isIn(NEWER.punctuation, character);
}

/** An ideograph, which is a word of its own. */
export function isIdeograph(character) {
  return IDEOGRAPHS.test(character);
}

const IDEOGRAPHS =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

/** What has come after Unicode 8, and that a browser knows: first and last in hexadecimal numbers. */
const NEWER = Object.fromEntries(Object.entries({
  dropped: "890-891 8e2 110cd 13430-1343f",
  accents: `7fd 897-89f 8ca-8e1 9fe afa-aff b55 c04 c3c d00 d3b-d3c d81 eba ece 180f 1885-1886 1abf-1add 1ae0-1aeb 1df6-1dfb
    a82c a8c5 a8ff a9bd 10d24-10d27 10d69-10d6d 10eab-10eac 10efa-10eff 10f46-10f50 10f82-10f85 11070 11073-11074 110c2 111c9
    111cf 1123e 11241 1133b 113bb-113c0 113ce 113d0 113d2 113e1-113e2 11438-1143f 11442-11444 11446 1145e 1182f-11837
    11839-1183a 1193b-1193c 1193e 11943 119d4-119d7 119da-119db 119e0 11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56
    11a59-11a5b 11a8a-11a96 11a98-11a99 11b60 11b62-11b64 11b66 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0
    11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11f00-11f01
    11f36-11f3a 11f40 11f42 11f5a 13440 13447-13455 1611e-16129 1612d-1612f 16f4f 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006
    1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6
    1e6ee-1e6ef 1e6f5 1e944-1e94a`,
  punctuation: `61d 9fd a76 c77 c84 1b4e-1b4f 1b7d-1b7f 2e43-2e4f 2e52-2e5d 10d6e 10ead 10ed0 10f55-10f59 10f86-10f89 113d4-113d5
    113d7-113d8 1144b-1144f 1145a-1145b 1145d 11660-1166c 116b9 1183b 11944-11946 119e2 11a3f-11a46 11a9a-11a9c 11a9e-11aa2
    11b00-11b09 11be1 11c41-11c45 11c70-11c71 11ef7-11ef8 11f43-11f4f 11fff 12ff1-12ff2 16d6d-16d6f 16e97-16e9a 16fe2 1e5ff
    1e95e-1e95f`,
}).map(([name, ranges]) => [name, ranges.split(/\s+/).map((range) => range.split("-").map((code) => parseInt(code, 16)))]));

function isIn(ranges, character) {
  const code = character.codePointAt(0);
  return ranges.some(([first, last = first]) => first <= code && code <= last);
}
