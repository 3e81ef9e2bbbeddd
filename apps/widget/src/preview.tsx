import { render } from "preact";
import { Conversation, type Server } from "./chat/conversation.ts";
import { readConfig, type Config } from "./config/read-config.ts";
import page from "./style/preview.css?inline";
import { addStyles } from "./style/theme.ts";
import { Widget } from "./view/widget.tsx";
import { knownLanguage } from "./words/language.ts";

/*
 * The widget next to its settings in the app, as edited there. It isn't part of the script that
 * sites load, and sends nothing: each question gets the app's sample answer.
 */

/** Sent by the app after each edit. */
interface Edited {
  /** The attributes of the script tag, by their names in wire-contract 8.4, and `theme`. */
  attributes: Record<string, string>;
  greeting: string;
  suggestedMessages: string[];
  sampleAnswer: string;
}

const script = document.currentScript as HTMLScriptElement;
const host = document.createElement("carrel-widget");
const root = host.attachShadow({ mode: "open" });
let sampleAnswer = "";

const server: Server = {
  begin: () =>
    Promise.resolve({
      id: "preview",
      token: null,
      suggestedMessages: [],
      greeting: null,
      maxMessageLength: null,
    }),
  history: () => Promise.resolve([]),
  clear: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  ask: () => {
    const chunk = { type: "textResponseChunk", textResponse: sampleAnswer, close: true };
    return Promise.resolve(new Response(`data: ${JSON.stringify(chunk)}\n\n`));
  },
};
const conversation = new Conversation(server, "preview");

function configOf({ attributes, greeting, suggestedMessages }: Edited): Config {
  const data = { ...attributes, embedId: "preview", baseApiUrl: "/api/embed" };
  const config = readConfig(data, script.src);
  return {
    ...config,
    mode: "preview",
    openOnLoad: true,
    greeting: config.greeting ?? (greeting || null),
    defaultMessages: config.defaultMessages.length > 0 ? config.defaultMessages : suggestedMessages,
  };
}

function show(edited: Edited): void {
  ({ sampleAnswer } = edited);
  const config = configOf(edited);
  const language = knownLanguage(config.language) ?? "en";
  host.dataset.theme = config.theme;
  addStyles(root, config);
  render(<Widget config={config} conversation={conversation} language={language} />, root);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(page);
document.adoptedStyleSheets = [sheet];
host.className = "preview";
document.body.append(host);
addEventListener("message", ({ source, origin, data }: MessageEvent<Edited>) => {
  if (source === parent && origin === location.origin) show(data);
});
