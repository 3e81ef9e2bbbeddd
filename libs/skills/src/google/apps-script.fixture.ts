import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createContext, runInContext } from "node:vm";

/*
 * Runs a script of `libs/skills/apps-script` like Google does, with stand-ins of its services. They
 * are written from Google's published Apps Script reference, as of 2026-11
 * (developers.google.com/apps-script/reference: base, content, properties, utilities) and its guides
 * on web apps and the Content service, including the redirect of replies.
 */

export const apiKey = "k".repeat(64);
export const deploymentId = "AKfycbwFixtureDeployment";

type Answer = (response: ServerResponse) => void;

/** A date in a time zone, by its parts. */
function partsOf(date: Date, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
}
function formatDate(date: Date, timeZone: string, format: string): string {
  const { year, month, day, hour, minute } = partsOf(date, timeZone);
  if (format === "yyyy-MM-dd") return `${year}-${month}-${day}`;
  if (format === "yyyy-MM-dd'T'HH:mm") return `${year}-${month}-${day}T${hour}:${minute}`;
  throw new Error(`the stand-in doesn't know the format ${format}`);
}
function parseDate(text: string, timeZone: string, format: string): Date {
  if (format !== "yyyy-MM-dd'T'HH:mm") throw new Error(`the stand-in doesn't know ${format}`);
  const wanted = Date.parse(`${text}Z`);
  // The offset at that time, found by writing the time as if it were UTC.
  const shown = Date.parse(`${formatDate(new Date(wanted), timeZone, format)}Z`);
  return new Date(wanted - (shown - wanted));
}

const scriptTimeZone = "America/New_York";

/** Services that both scripts use. */
const services = (properties: Map<string, string>): object => ({
  console: { log: () => undefined },
  ContentService: {
    MimeType: { JSON: "application/json" },
    createTextOutput: (text: string) => ({
      text,
      setMimeType(mime: string) {
        return { ...this, mime };
      },
    }),
  },
  PropertiesService: {
    getScriptProperties: () => ({
      getProperty: (name: string) => properties.get(name) ?? null,
      setProperty: (name: string, value: string) => properties.set(name, value),
    }),
  },
  Session: { getScriptTimeZone: () => scriptTimeZone },
  Utilities: {
    DigestAlgorithm: { SHA_256: "SHA_256" },
    // Bytes are signed there.
    computeDigest: (_algorithm: string, text: string) => [
      ...new Int8Array(createHash("sha256").update(text).digest()),
    ],
    getUuid: () => randomUUID(),
    formatDate,
    parseDate,
  },
});

/** Google's two servers in front of one deployed script. */
export class AppsScriptFixture {
  readonly properties = new Map([["API_KEY", apiKey]]);
  /** Where the script is redirected to for its reply. */
  replyOrigin = "";
  /** Answers instead of the script's, used once. */
  readonly answers: Answer[] = [];
  /** The same at the place that the reply is fetched from. */
  readonly replyAnswers: Answer[] = [];
  readonly requests: string[] = [];
  private readonly replies = new Map<string, string>();
  private readonly context;

  /** @param script its file in `libs/skills/apps-script` */
  constructor(script: "gmail.gs" | "calendar.gs", own: object) {
    const file = new URL(`../../apps-script/${script}`, import.meta.url);
    this.context = createContext({ ...services(this.properties), ...own });
    runInContext(readFileSync(file, "utf8"), this.context, { filename: script });
  }

  /** Calls a function of the script, as its editor does. */
  run(name: string): void {
    runInContext(`${name}()`, this.context);
  }

  readonly script: RequestListener = (request, response) => {
    void this.answer(request, response);
  };

  readonly reply: RequestListener = (request, response) => {
    this.requests.push(`${request.method} reply`);
    const own = this.replyAnswers.shift();
    if (own) return own(response);
    const key = new URL(request.url ?? "/", "http://fixture").searchParams.get("user_content_key");
    const text = this.replies.get(key ?? "");
    if (request.method !== "GET" || text === undefined) return void response.writeHead(404).end();
    response.setHeader("content-type", "application/json; charset=utf-8").end(text);
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    this.requests.push(`${request.method} script`);
    const own = this.answers.shift();
    if (own) return own(response);
    if (request.url !== `/macros/s/${deploymentId}/exec`)
      return void response.writeHead(404, { "content-type": "text/html" }).end("<html>Not found");
    const contents = Buffer.concat(parts).toString();
    const event = { postData: { contents, type: "application/json", length: contents.length } };
    const handler = request.method === "POST" ? "doPost" : "doGet";
    const { text } = runInContext(handler, this.context)(event) as { text: string };
    const key = randomUUID();
    this.replies.set(key, text);
    const location = `${this.replyOrigin}/macros/echo?user_content_key=${key}&lib=x`;
    response.writeHead(302, { location, "content-type": "text/html" }).end("<html>Moved");
  }
}
