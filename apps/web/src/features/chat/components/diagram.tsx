import mermaid from "mermaid/dist/mermaid.esm.min.mjs";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Theme } from "../../../lib/active-theme.ts";
import { useTheme } from "../../../lib/theme.ts";
import { LruCache } from "../state/lru-cache.ts";

/** An SVG as a `data:` address, with its size in pixels. */
interface Drawing {
  address: string;
  width: number;
  height: number;
}

/** Fonts that every system has: an image can't use the page's. */
const fontFamily = 'Arial, "Liberation Sans", sans-serif';

/** Everything a diagram could change on its own, in its front matter or an `init` directive. */
const fixedByUs = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "suppressErrorRendering",
  "maxTextSize",
  "maxEdges",
  "htmlLabels",
  "theme",
  "themeCSS",
  "themeVariables",
  "fontFamily",
  "altFontFamily",
  "dompurifyConfig",
  "layout",
  "look",
];
/** Shapes with images would request them while being measured. */
const hasImage = /@\{[^}]*\bimg\s*:/;

/**
 * HTML in labels, which is not drawn; `<br>` breaks lines, and `<<interface>>` is Mermaid's own.
 */
const markup = /(?<!<)<(?!br\b)\/?[a-z][^>]*>/gi;

/** Menus of links on a sequence diagram's actors: an image has no links, and they need handlers. */
const actorLinks = /^\s*links?\s+[^\n:]+:.*$/gm;
const drawable = (source: string): string => {
  const plain = source.replace(markup, "");
  return /^\s*sequenceDiagram\b/m.test(plain) ? plain.replace(actorLinks, "") : plain;
};

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const themeVariables = (theme: Theme) => ({
  darkMode: theme === "default",
  fontFamily,
  fontSize: "14px",
  background: token("--bg-sunken"),
  primaryColor: token("--bg-raised"),
  primaryTextColor: token("--fg-1"),
  primaryBorderColor: token("--border-control"),
  secondaryColor: token("--bg-sunken"),
  tertiaryColor: token("--bg-surface"),
  lineColor: token("--fg-3"),
  textColor: token("--fg-1"),
  noteBkgColor: token("--warning-bg"),
  noteTextColor: token("--fg-1"),
  noteBorderColor: token("--warning-border"),
});

async function draw(source: string, theme: Theme, id: string): Promise<Drawing> {
  if (hasImage.test(source)) throw new Error("Diagrams can't contain images.");
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 20_000,
    maxEdges: 200,
    logLevel: "fatal",
    theme: "base",
    themeVariables: themeVariables(theme),
    fontFamily,
    secure: fixedByUs,
  });
  const { svg } = await mermaid.render(id, drawable(source));
  const parsed = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  const [, , width = 0, height = 0] = (parsed?.getAttribute("viewBox") ?? "")
    .split(/[\s,]+/)
    .map(Number);
  if (!parsed || !(width > 0) || !(height > 0)) throw new Error("The diagram is empty.");
  parsed.setAttribute("width", String(width));
  parsed.setAttribute("height", String(height));
  parsed.removeAttribute("style");
  const text = new XMLSerializer().serializeToString(parsed);
  return {
    address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

const drawings = new LruCache<Drawing>(200_000);
let count = 0;
let previous: Promise<unknown> = Promise.resolve();

/** Draws one diagram after the other, because Mermaid has a single configuration. */
function drawDiagram(source: string, theme: Theme): Promise<Drawing> {
  const key = `${theme} ${source}`;
  const known = drawings.get(key);
  if (known) return Promise.resolve(known);
  const id = `diagram-${(count += 1)}`;
  const next = previous
    .then(() => draw(source, theme, id))
    .then((drawing) => {
      drawings.set(key, drawing);
      return drawing;
    })
    .finally(() => {
      // An element that Mermaid measured and didn't remove because the diagram was invalid.
      for (const name of [id, `d${id}`]) document.getElementById(name)?.remove();
    });
  previous = next.catch(() => undefined);
  return next;
}

/**
 * A Mermaid diagram, shown as an image, because an image runs no script and loads nothing, whatever
 * it contains. `children`, its source, is shown until it is drawn and if it can't be.
 */
export default function Diagram({ source, children }: { source: string; children: ReactNode }) {
  const { t } = useTranslation("chat");
  const theme = useTheme();
  const [drawing, setDrawing] = useState<Drawing | "failed" | null>(null);
  useEffect(() => {
    let live = true;
    drawDiagram(source, theme).then(
      (drawn) => live && setDrawing(drawn),
      () => live && setDrawing("failed"),
    );
    return () => {
      live = false;
    };
  }, [source, theme]);
  if (drawing === null) return children;
  if (drawing === "failed")
    return (
      <>
        <p className="px-3.5 pb-2 text-xs text-danger">{t("diagramFailed")}</p>
        {children}
      </>
    );
  return (
    <div
      className="overflow-x-auto p-3.5 pt-1"
      tabIndex={0}
      role="region"
      aria-label={t("diagram")}
    >
      <img
        className="mx-auto max-w-none md:max-w-full"
        src={drawing.address}
        width={drawing.width}
        height={drawing.height}
        alt={t("diagram")}
      />
    </div>
  );
}
