import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { splitHidden } from "../state/safe-text.ts";

/** A text in which nothing is hidden: characters that can't be seen are shown as their codes. */
export function SafeText({ text }: { text: string }) {
  const { t } = useTranslation("steps");
  return splitHidden(text).map((part, index) =>
    part.hidden === null ? (
      part.text
    ) : (
      <span
        key={index}
        className="mx-px inline-block rounded-[3px] bg-warning-subtle px-0.75 text-2xs/4 font-medium text-warning select-none [unicode-bidi:isolate]"
        dir="ltr"
        title={t("hidden", { code: part.hidden })}
      >
        {part.hidden}
      </span>
    ),
  );
}

/** Text of a model, a page or a tool, as it is, in a box that scrolls. */
export function TextBox({
  text,
  label,
  className,
}: {
  text: string;
  label: string;
  className?: string;
}) {
  return (
    <pre
      className={cn(
        "max-h-72 overflow-auto rounded-sm border border-subtle bg-sunken px-2.5 py-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap text-fg-2 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin] max-md:max-h-60",
        className,
      )}
      // Scrollable by keyboard.
      tabIndex={0}
      role="group"
      aria-label={label}
      dir="auto"
    >
      <SafeText text={text} />
    </pre>
  );
}
