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
  const host = document.createElement("carrel-widget");
  host.className = config.mode;
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, config);
  const conversation = new Conversation(new EmbedApi(config), config.embedId);
  render(<Widget config={config} conversation={conversation} language={language} />, root);
  // A page of its own fills the element that the script is in.
  if (config.mode === "page" && script!.parentElement !== document.head) script!.after(host);
  else document.body.append(host);
}

if (document.body) mount();
else addEventListener("DOMContentLoaded", mount);
