import { render } from "preact";
import { Conversation } from "./chat/conversation.ts";
import { readConfig } from "./config/read-config.ts";
import { addStyles } from "./style/theme.ts";
import { Widget } from "./view/widget.tsx";
import { EmbedApi } from "./wire/embed-api.ts";
import { chooseLanguage } from "./words/language.ts";

/** Tag managers load scripts in ways that hide which tag they belong to. */
const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>("script[data-embed-id]");
if (script === null) throw new Error("The chat widget found no script tag with data-embed-id.");
const config = readConfig(script.dataset, script.src);
const language = chooseLanguage(config.language);

function mount(): void {
  // Some sites run their scripts again with each page that they load into this one.
  if (document.querySelector(`carrel-widget[data-embed-id="${CSS.escape(config.embedId)}"]`))
    return;
  const place = script!.parentElement;
  const isInPage = config.mode === "page" && place !== null && place !== document.head;
  const host = document.createElement("carrel-widget");
  host.dataset.embedId = config.embedId;
  // A page has no height of its own for the chat to fill.
  host.className = isInPage && place !== document.body ? "part" : config.mode;
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, config);
  const conversation = new Conversation(new EmbedApi(config, language), config.embedId);
  // Insert it into the page first: only there can a dialog open and a text have a height.
  if (isInPage) script!.after(host);
  else document.body.append(host);
  render(<Widget config={config} conversation={conversation} language={language} />, root);
}

if (document.body) mount();
else addEventListener("DOMContentLoaded", mount);
