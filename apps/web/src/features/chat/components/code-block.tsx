import type { Element } from "hast";
import { Suspense, createContext, lazy, use, useRef, useState, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";

const Diagram = lazy(() => import("./diagram.tsx"));
const PreviewFrame = lazy(() => import("./preview-frame.tsx"));

/** Whether the block may still grow; half a source isn't drawn. */
export const GrowingContext = createContext(false);

interface Node {
  value?: string;
  children?: Node[];
  properties?: { className?: unknown };
}
const textOf = (node: Node | undefined): string =>
  node?.value ?? node?.children?.map(textOf).join("") ?? "";

function languageOf(pre: Node | undefined): string {
  const { className } = pre?.children?.[0]?.properties ?? {};
  const named = Array.isArray(className) ? className.map(String) : [];
  return named.find((name) => name.startsWith("language-"))?.slice(9) ?? "";
}

/**
 * A code block with its language and a copy button. A Mermaid diagram is drawn, and HTML and SVG
 * can be previewed.
 */
export function CodeBlock({ children, node }: ComponentProps<"pre"> & { node?: Element }) {
  const { t } = useTranslation("chat");
  const pre = useRef<HTMLPreElement>(null);
  const growing = use(GrowingContext);
  const language = languageOf(node);
  const source = textOf(node).trimEnd();
  const kind = growing ? null : previewKind(language, source);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const shown = kind !== null && (chosen ?? kind === "diagram");
  const code = (
    <pre ref={pre} tabIndex={0}>
      {children}
    </pre>
  );
  return (
    <div className="code" dir="ltr">
      <header>
        <span>{language || t("code")}</span>
        <span className="flex">
          {kind !== null && (
            <Button
              variant="quiet"
              size="sm"
              aria-pressed={shown}
              onClick={() => setChosen(!shown)}
            >
              {t(shown ? "showCode" : kind === "diagram" ? "showDiagram" : "preview")}
            </Button>
          )}
          <CopyButton variant="quiet" size="sm" words text={() => source} />
        </span>
      </header>
      {shown ? (
        <Suspense fallback={code}>
          {kind === "diagram" ? (
            <Diagram source={source}>{code}</Diagram>
          ) : (
            <PreviewFrame source={source} />
          )}
        </Suspense>
      ) : (
        code
      )}
    </div>
  );
}

/** How a code block can be previewed, in addition to its source. */
function previewKind(language: string, source: string): "diagram" | "page" | null {
  if (source.trim() === "") return null;
  if (language === "mermaid") return "diagram";
  if (language === "html" || language === "svg") return "page";
  return language === "xml" && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(source) ? "page" : null;
}
