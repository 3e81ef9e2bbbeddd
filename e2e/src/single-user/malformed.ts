import { request } from "node:http";

/** One raw request, so that Host, Origin and malformed bodies are sent as written. */
export function sendRaw(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer | null = null,
): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    // No keep-alive: a rejected body is only half sent.
    const outgoing = request(url + path, { method, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (part) => (text += String(part)));
      incoming.on("end", () => done({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on("error", fail);
    outgoing.end(body ?? undefined);
  });
}

/** JSON bodies that no operation accepts as they are. */
export const bodies: [string, unknown][] = [
  ["nothing", undefined],
  ["broken JSON", '{"a":'],
  ["an array", []],
  ["a text", '"text"'],
  ["null", "null"],
  [
    "objects where values are due",
    {
      name: {},
      slug: [],
      message: {},
      adds: "x",
      deletes: 7,
      values: 3,
      link: {},
      password: [],
      chatIds: "x",
      slugs: {},
      documentLocation: [],
      openAiTemp: {},
      topN: [],
      usePassword: "yes",
      provider: 9,
    },
  ],
  [
    "control characters",
    {
      name: "\u0000\u0001\u202e",
      message: "\u0000",
      link: "\u0000",
      documentLocation: "../../\u0000",
      adds: ["\u0000", "../../etc/passwd"],
      slugs: ["\u0000"],
    },
  ],
  ["lone surrogates", { name: "\ud800", message: "\udfff", documentLocation: "\ud800" }],
  ["prototype keys", '{"__proto__":{"admin":true},"constructor":1}'],
  [
    "numbers beyond every column",
    {
      openAiHistory: 1e159,
      topN: 1e300,
      openAiTemp: 5e-324,
      similarityThreshold: -1e308,
      chatIds: [2 ** 31],
    },
  ],
  [
    "huge numbers",
    {
      chatIds: [1e308, -1, 2 ** 53],
      topN: 1e308,
      openAiHistory: -1e308,
      similarityThreshold: "NaN",
      openAiTemp: "Infinity",
    },
  ],
];
/** Values of path parameters, by name. */
export const pathValues: Record<string, string[]> = {
  slug: [
    "no-such-workspace",
    "..%2F..%2Fetc",
    "%00",
    "x".repeat(5000),
    "'%3Bdrop%20table%20workspace--",
    "%F0%9F%98%80",
  ],
  threadSlug: ["no-such-thread", "%00", "default"],
  id: ["1", "not-a-uuid", "00000000-0000-4000-8000-000000000000"],
  documentId: ["1", "00000000-0000-4000-8000-000000000000", "..%2F.."],
  token: ["x", "a.b", "AAAA.BBBB.CCCC", "..%2F..%2Fetc%2Fpasswd"],
};
