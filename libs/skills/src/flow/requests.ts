import { clipText, flowLimits, type FlowBlock } from "@carrel/contracts";
import { EgressError, type ContentResponse } from "@carrel/egress";
import { parseMarkup, textOf } from "@carrel/markup";
import { budgetOf, summarizePieces } from "../document-summarizer/map-reduce.ts";
import { splitDocument } from "../document-summarizer/split-document.ts";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import { toolFault } from "../tool-fault.ts";
import type { ModelPort } from "../tool.ts";
import { decodePage } from "../web-page/decode-page.ts";
import { readReply } from "../web-page/web-page.ts";
import { blockFault } from "./block-flow.ts";
import { deniedFault, readUrl, type BlockContext } from "./block.ts";
import { selectElements } from "./select-elements.ts";
import {
  parseIfJson,
  substitute,
  substituteWithin,
  type InsertCredential,
  type Variables,
} from "./substitute.ts";

/** Bytes of a response. */
const longestResponse = 5_000_000;
/** Of a response that reports an error, in its fault. */
const longestReason = 300;

export interface ApiRequest {
  /** Not checked yet. */
  url: string;
  method: FlowBlock<"apiCall">["config"]["method"];
  headers: [name: string, value: string][];
  body: string | null;
}

const takesBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
const contentTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain",
} as const;

/**
 * What an API call sends, with the values of its variables. Without `insert`, credentials are as
 * they are written, for people to see; names of headers and fields never hold any.
 */
export function buildRequest(
  { config }: FlowBlock<"apiCall">,
  variables: Variables,
  insert?: InsertCredential,
): ApiRequest {
  const headers = config.headers
    .filter(({ key }) => key.trim() !== "")
    .map(({ key, value }): [string, string] => [
      substitute(key, variables).trim(),
      substitute(value, variables, insert),
    ]);
  const hasBody = takesBody.has(config.method);
  if (hasBody && !headers.some(([name]) => name.toLowerCase() === "content-type"))
    headers.push(["content-type", contentTypes[config.bodyType]]);
  return {
    url: substitute(
      config.url,
      variables,
      insert && ((name) => encodeURIComponent(insert(name))),
    ).trim(),
    method: config.method,
    headers,
    body: hasBody ? buildBody(config, variables, insert) : null,
  };
}

function buildBody(
  { bodyType, body, formData }: FlowBlock<"apiCall">["config"],
  variables: Variables,
  insert?: InsertCredential,
): string {
  if (bodyType === "form")
    return new URLSearchParams(
      formData.map(({ key, value }): [string, string] => [
        substitute(key, variables),
        substitute(value, variables, insert),
      ]),
    ).toString();
  if (bodyType !== "json") return substitute(body, variables, insert);
  // Inserted into the texts of the JSON, so that quotes in a value can't add fields.
  const template = parseIfJson(body);
  return typeof template === "string"
    ? substitute(body, variables, insert && ((name) => JSON.stringify(insert(name)).slice(1, -1)))
    : JSON.stringify(substituteWithin(template, variables, insert));
}

export async function runApiCall(
  step: FlowBlock<"apiCall">,
  context: BlockContext,
): Promise<unknown> {
  const { variables, ports } = context;
  const needed = new Set<string>();
  // Run for the names alone.
  buildRequest(step, variables, (name) => {
    needed.add(name);
    return "";
  });
  const reply = await fetchOnce(context, {
    needed: [...needed],
    shown: buildRequest(step, variables),
    fill: (values) => buildRequest(step, variables, (name) => values.get(name)!),
  });
  const text = decodePage(reply.body, reply.headers.get("content-type"));
  return ports.secrets.redact(parseIfJson(text));
}

interface BlockRequest {
  /** The names of its credentials. */
  needed: readonly string[];
  /** With their names. */
  shown: ApiRequest;
  /** With their values. */
  fill(values: ReadonlyMap<string, string>): ApiRequest;
}

async function fetchOnce(
  context: BlockContext,
  { needed, shown, fill }: BlockRequest,
): Promise<ContentResponse> {
  const { title, flow, ports, signal } = context;
  const { method, body } = shown;
  const url = readUrl(title, shown.url);
  if (!(await ports.admit({ title, method, url, body }))) throw toolFault(deniedFault(title));
  const values = await ports.secrets.open(title, flow, { needed, url });
  const isSecret = needed.length > 0;
  const request = fill(values);
  const target = placeIn(title, url, request.url);
  checkHeaders(title, request.headers, isSecret ? url : null);
  let refused: URL | null = null;
  let reply: ContentResponse;
  try {
    reply = await ports.content.fetch(target.href, {
      method,
      headers: Object.fromEntries(request.headers),
      ...(request.body !== null && { body: request.body }),
      signal,
      maxBytes: longestResponse,
      refusesPlainHttp: isSecret,
      // A server must not pass on what was meant for it.
      mayFollow: (to) => {
        const isAllowed = isSecret
          ? to.origin === url.origin
          : method === "GET" || to.hostname === url.hostname;
        if (!isAllowed && isSecret) refused = to;
        return Promise.resolve(isAllowed);
      },
    });
  } catch (fault) {
    if (!(fault instanceof EgressError)) throw fault;
    // What caused it may name the address with the values.
    throw blockFault(title, fault.fault, isSecret ? undefined : fault);
  }
  if (refused !== null)
    throw blockFault(title, {
      code: "credential.redirected",
      params: { host: url.host, target: (refused as URL).host },
    });
  if (reply.status >= 200 && reply.status < 300) return reply;
  // Before it is cut, which could leave a part of a secret.
  const said = ports.secrets.redact(decodePage(reply.body, reply.headers.get("content-type")));
  const text = ports.secrets.redact(onOneLine(textOf(parseMarkup(said.slice(0, 10_000)))));
  const reason = clipText(text, longestReason);
  throw blockFault(
    title,
    `${url.hostname} answered with status ${reply.status}${reason === "" ? "." : `: ${reason}`}`,
  );
}

/** The address with the values of its credentials, which must not change where it leads. */
function placeIn(title: string, shown: URL, filled: string): URL {
  const url = URL.parse(filled);
  if (
    url === null ||
    url.origin !== shown.origin ||
    url.username !== shown.username ||
    url.password !== shown.password
  )
    throw blockFault(title, { code: "credential.misplaced" });
  url.hash = "";
  return url;
}

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const notInHeaders = /[^\t\x20-\x7e\x80-\xff]/;

/** @param only the URL whose host the request must be for, because it holds credentials */
function checkHeaders(
  title: string,
  headers: readonly (readonly [name: string, value: string])[],
  only: URL | null,
): void {
  for (const [name, value] of headers) {
    if (!headerName.test(name)) throw blockFault(title, `The header ${name} has no valid name.`);
    if (notInHeaders.test(value))
      throw blockFault(title, `The value of the header ${name} has characters that can't be sent.`);
    if (only !== null && name.toLowerCase() === "host" && value.toLowerCase() !== only.host)
      throw blockFault(title, { code: "credential.host-header" });
  }
}

/** People leave out `https://`. Not checked yet. */
export function pageAddress(
  { config }: Pick<FlowBlock<"webScraping">, "config">,
  variables: Variables,
): string {
  const written = substitute(config.url, variables).trim();
  const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(written);
  return isHost ? `https://${written}` : written;
}

export async function runWebScraping(
  { config }: FlowBlock<"webScraping">,
  context: BlockContext,
): Promise<string> {
  const { title, variables, ports, signal } = context;
  const request: ApiRequest = {
    url: pageAddress({ config }, variables),
    method: "GET",
    headers: [["accept", "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5"]],
    body: null,
  };
  const reply = await fetchOnce(context, { needed: [], shown: request, fill: () => request });
  const html = (): string =>
    ports.secrets.redact(decodePage(reply.body, reply.headers.get("content-type")));
  if (config.captureAs === "html") return clipText(html(), flowLimits.variables);
  const found =
    config.captureAs === "querySelector"
      ? select(title, html(), substitute(config.querySelector, variables))
      : withoutHidden((await readReply(reply)).text);
  const text = ports.secrets.redact(found);
  if (text.trim() === "") throw blockFault(title, { code: "link.without-text" });
  return config.enableSummarization === false || ports.model === null
    ? clipText(text, flowLimits.variables)
    : shorten(title, text, ports.model, signal);
}

function select(title: string, html: string, selector: string): string {
  const found = selectElements(parseMarkup(html), selector);
  if (found === null) throw blockFault(title, `The selector ${selector} can't be used.`);
  if (found.length === 0) throw blockFault(title, `Nothing on the page matches ${selector}.`);
  return found.map((one) => withoutHidden(textOf([one])).trim()).join("\n");
}

/** A text that doesn't fit into the model's window is summarised. */
async function shorten(
  title: string,
  text: string,
  model: ModelPort,
  signal: AbortSignal,
): Promise<string> {
  if (text.length < model.contextWindow * 2) return text;
  const { bytes } = budgetOf(model);
  const whole = clipText(text, flowLimits.variables);
  const part = { text: whole, start: 0, end: whole.length, pages: [], headings: [] };
  return summarizePieces({
    title,
    pieces: await splitDocument(part, Math.floor(bytes / 2)),
    focus: "",
    model,
    signal,
    progress: () => undefined,
  });
}
