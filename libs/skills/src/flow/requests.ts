import { clipText, flowLimits, type FlowBlock } from "@carrel/contracts";
import { EgressError, type ContentRequest, type ContentResponse } from "@carrel/egress";
import { parseMarkup, textOf } from "@carrel/markup";
import { budgetOf, summarizePieces } from "../document-summarizer/map-reduce.ts";
import { splitDocument } from "../document-summarizer/split-document.ts";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import { toolFault } from "../tool-fault.ts";
import type { ModelPort } from "../tool.ts";
import { decodePage } from "../web-page/decode-page.ts";
import { readReply } from "../web-page/web-page.ts";
import { blockFault, deniedFault, readUrl, type BlockContext } from "./block.ts";
import { selectElements } from "./select-elements.ts";
import { parseIfJson, substitute, substituteWithin, type Variables } from "./substitute.ts";

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

/** What an API call sends, with the values of its variables. */
export function buildRequest({ config }: FlowBlock<"apiCall">, variables: Variables): ApiRequest {
  const headers = config.headers
    .filter(({ key }) => key.trim() !== "")
    .map(({ key, value }): [string, string] => [
      substitute(key, variables).trim(),
      substitute(value, variables),
    ]);
  const hasBody = takesBody.has(config.method);
  if (hasBody && !headers.some(([name]) => name.toLowerCase() === "content-type"))
    headers.push(["content-type", contentTypes[config.bodyType]]);
  return {
    url: substitute(config.url, variables).trim(),
    method: config.method,
    headers,
    body: hasBody ? buildBody(config, variables) : null,
  };
}

function buildBody(
  { bodyType, body, formData }: FlowBlock<"apiCall">["config"],
  variables: Variables,
): string {
  if (bodyType === "form")
    return new URLSearchParams(
      formData.map(({ key, value }): [string, string] => [
        substitute(key, variables),
        substitute(value, variables),
      ]),
    ).toString();
  if (bodyType === "json") {
    // Inserted into the texts of the JSON, so that quotes in a value can't add fields.
    const template = parseIfJson(body);
    if (typeof template !== "string") return JSON.stringify(substituteWithin(template, variables));
  }
  return substitute(body, variables);
}

export async function runApiCall(
  step: FlowBlock<"apiCall">,
  context: BlockContext,
): Promise<unknown> {
  const request = buildRequest(step, context.variables);
  const reply = await fetchOnce(context, request.url, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(request.body !== null && { body: request.body }),
  });
  return parseIfJson(decodePage(reply.body, reply.headers.get("content-type")));
}

async function fetchOnce(
  { title, ports, signal }: BlockContext,
  address: string,
  request: ContentRequest,
): Promise<ContentResponse> {
  const url = readUrl(title, address);
  const method = request.method ?? "GET";
  if (!(await ports.admit({ title, method, url }))) throw toolFault(deniedFault(title));
  let reply: ContentResponse;
  try {
    reply = await ports.content.fetch(url.href, {
      ...request,
      signal,
      maxBytes: longestResponse,
      // A server must not pass on what was meant for it.
      mayFollow: (target) =>
        Promise.resolve(method === "GET" ? true : target.hostname === url.hostname),
    });
  } catch (fault) {
    if (fault instanceof EgressError) throw blockFault(title, fault.fault, fault);
    // A header that can't be sent.
    if (fault instanceof TypeError) throw blockFault(title, fault.message, fault);
    throw fault;
  }
  if (reply.status >= 200 && reply.status < 300) return reply;
  const said = decodePage(reply.body.subarray(0, 10_000), reply.headers.get("content-type"));
  const reason = clipText(onOneLine(textOf(parseMarkup(said))), longestReason);
  throw blockFault(
    title,
    `${url.hostname} answered with status ${reply.status}${reason === "" ? "." : `: ${reason}`}`,
  );
}

export async function runWebScraping(
  { config }: FlowBlock<"webScraping">,
  context: BlockContext,
): Promise<string> {
  const { title, variables, ports, signal } = context;
  const written = substitute(config.url, variables).trim();
  const address = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(written)
    ? `https://${written}`
    : written;
  const reply = await fetchOnce(context, address, {
    headers: { accept: "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5" },
  });
  const html = (): string => decodePage(reply.body, reply.headers.get("content-type"));
  if (config.captureAs === "html") return html().slice(0, flowLimits.variables);
  const text =
    config.captureAs === "querySelector"
      ? select(title, html(), substitute(config.querySelector, variables))
      : withoutHidden((await readReply(reply)).text);
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
