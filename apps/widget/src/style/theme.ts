import type { Config } from "../config/read-config.ts";
import frame from "./frame.css?inline";
import message from "./message.css?inline";

/** Parts of a CSS colour, from 0 to 255; null if it is unknown or (partly) transparent. */
function parseColor(color: string): [number, number, number] | null {
  const context = document.createElement("canvas").getContext("2d")!;
  context.fillStyle = color;
  const match = /^#(..)(..)(..)$/.exec(context.fillStyle);
  if (match === null) return null;
  return [match[1], match[2], match[3]].map((part) => parseInt(part!, 16)) as [
    number,
    number,
    number,
  ];
}

function luminance(parts: [number, number, number]): number {
  const [red, green, blue] = parts.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** White if readable (WCAG AA), otherwise black or white, whichever has more contrast. */
function textOn(color: string): string | null {
  const parts = parseColor(color);
  if (parts === null) return null;
  const own = luminance(parts);
  const white = 1.05 / (own + 0.05);
  return white >= 4.5 || white > (own + 0.05) / 0.0556 ? "#fff" : "#1a1917";
}

/**
 * Applies the script tag's colours and sizes through the CSSOM, which a content security policy
 * without `unsafe-inline` allows.
 */
function applyConfig(style: CSSStyleDeclaration, config: Config): void {
  const set = (name: string, value: string | null): void => {
    if (value !== null) style.setProperty(`--${name}`, value);
  };
  const colors: [string, string][] = [
    ["accent", config.buttonColor],
    ["user", config.userBgColor],
    ["assistant", config.assistantBgColor],
  ];
  for (const [name, value] of colors) {
    set(name, value);
    // On a transparent colour, the text has the theme's colour.
    set(`on-${name}`, textOn(value));
  }
  set("height", config.windowHeight);
  set("width", config.windowWidth);
  set("text", config.textSize);
}

/** Adds the shadow root's styles; the page's own are untouched. */
export function addStyles(root: ShadowRoot, config: Config): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(frame + message);
  const own = sheet.cssRules[0] as CSSStyleRule;
  applyConfig(own.style, config);
  root.adoptedStyleSheets = [sheet];
}
