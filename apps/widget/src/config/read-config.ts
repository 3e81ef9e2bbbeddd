/** The attributes of the page's script tag (wire-contract 8.4). */
export interface Config {
  embedId: string;
  /** Without a trailing slash. */
  baseApiUrl: string;
  /** Folder of the strings, on the script's own origin; null if the script has no address. */
  localesUrl: string | null;
  /** `preview`: next to its settings in the app, like `button` on a desktop. */
  mode: "button" | "page" | "preview";
  theme: "auto" | "light" | "dark";
  /** A token from the site's server that names the visitor. */
  identity: string | null;
  prompt: string | null;
  model: string | null;
  temperature: number | null;
  username: string | null;
  showThoughts: boolean;
  chatIcon: ChatIcon;
  brandImageUrl: string | null;
  greeting: string | null;
  buttonColor: string;
  userBgColor: string;
  assistantBgColor: string;
  noSponsor: boolean;
  sponsorText: string | null;
  sponsorLink: string | null;
  position: Position;
  assistantName: string | null;
  assistantIcon: string | null;
  windowHeight: string | null;
  windowWidth: string | null;
  textSize: string | null;
  noHeader: boolean;
  language: string | null;
  sendMessageText: string | null;
  resetChatText: string | null;
  openOnLoad: boolean;
  supportEmail: string | null;
  defaultMessages: string[];
}

const chatIcons = ["plus", "chatCircle", "support", "search2", "search", "magic"] as const;
export type ChatIcon = (typeof chatIcons)[number];
const positions = ["bottom-right", "bottom-left", "top-right", "top-left"] as const;
type Position = (typeof positions)[number];

const oneOf = <T extends string>(value: string | null, known: readonly T[]): T =>
  known.find((each) => each === value) ?? known[0]!;
/** An attribute without a value is on, as in HTML. */
const isOn = (value: string | undefined): boolean =>
  value !== undefined && !["false", "off", "no", "0"].includes(value.trim().toLowerCase());

/** An address that a page may load or open; never `javascript:`. */
export function safeUrl(value: string | null, protocols = ["http:", "https:"]): string | null {
  if (value === null) return null;
  try {
    const url = new URL(value, document.baseURI);
    return protocols.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** A plain number is a number of pixels. */
function length(value: string | null): string | null {
  if (value === null) return null;
  const text = /^\d+(\.\d+)?$/.test(value) ? `${value}px` : value;
  return CSS.supports("height", text) ? text : null;
}

const picture = (value: string | null): string | null =>
  value !== null && /^data:image\//i.test(value) ? value : safeUrl(value);

const color = (value: string | null, fallback: string): string =>
  value !== null && CSS.supports("color", value) ? value : fallback;

/** @param src the script's own address */
export function readConfig(data: DOMStringMap, src: string): Config {
  const text = (name: string): string | null => data[name]?.trim() || null;
  const embedId = text("embedId");
  const baseApiUrl = safeUrl(text("baseApiUrl"));
  if (embedId === null || baseApiUrl === null)
    throw new Error(
      "The chat widget needs data-embed-id and data-base-api-url on its script tag. See the snippet in Carrel's settings.",
    );
  const temperature = Number(text("temperature") ?? Number.NaN);
  return {
    embedId,
    baseApiUrl: baseApiUrl.replace(/\/+$/, ""),
    localesUrl: /^https?:/.test(src) ? new URL("locales/", src).href : null,
    mode: text("mode") === "page" ? "page" : "button",
    theme: oneOf(text("theme"), ["auto", "light", "dark"]),
    identity: text("identity"),
    prompt: text("prompt"),
    model: text("model"),
    temperature: Number.isFinite(temperature) ? temperature : null,
    username: text("username"),
    showThoughts: isOn(data.showThoughts),
    chatIcon: oneOf(text("chatIcon"), chatIcons),
    brandImageUrl: picture(text("brandImageUrl")),
    greeting: text("greeting"),
    buttonColor: color(text("buttonColor"), "#262626"),
    userBgColor: color(text("userBgColor"), "#2C2F35"),
    assistantBgColor: color(text("assistantBgColor"), "#2563eb"),
    noSponsor: isOn(data.noSponsor),
    sponsorText: text("sponsorText"),
    sponsorLink: safeUrl(text("sponsorLink")),
    position: oneOf(text("position"), positions),
    assistantName: text("assistantName"),
    assistantIcon: picture(text("assistantIcon")),
    windowHeight: length(text("windowHeight")),
    windowWidth: length(text("windowWidth")),
    textSize: length(text("textSize")),
    noHeader: isOn(data.noHeader),
    language: text("language"),
    sendMessageText: text("sendMessageText"),
    resetChatText: text("resetChatText"),
    openOnLoad: ["on", "true"].includes(text("openOnLoad") ?? ""),
    supportEmail: text("supportEmail"),
    defaultMessages: (text("defaultMessages") ?? "")
      .split(",")
      .map((message) => message.trim())
      .filter((message) => message !== ""),
  };
}
