import { isValidElement, useRef, type ComponentProps, type ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/ui/copy-button.tsx";

const languageOf = (children: unknown): string => {
  if (!isValidElement(children)) return "";
  const { className } = (children as ReactElement<{ className?: string }>).props;
  return /language-([\w+#.-]+)/.exec(className ?? "")?.[1] ?? "";
};

/** A code block with its language and a copy button. */
export function CodeBlock({ children }: ComponentProps<"pre">) {
  const { t } = useTranslation("chat");
  const pre = useRef<HTMLPreElement>(null);
  return (
    <div className="code" dir="ltr">
      <header>
        <span>{languageOf(children) || t("code")}</span>
        <CopyButton variant="quiet" size="sm" words text={() => pre.current?.textContent ?? ""} />
      </header>
      <pre ref={pre} tabIndex={0}>
        {children}
      </pre>
    </div>
  );
}
