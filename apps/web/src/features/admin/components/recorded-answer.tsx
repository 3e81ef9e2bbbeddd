import { useTranslation } from "react-i18next";
import { addTexts } from "../../../lib/i18n.ts";
import recorded from "../../../locales/en/recorded.json" with { type: "json" };

// Loaded with the page of recorded chats.
addTexts("recorded", recorded);

/** An answer as plain text, with the model's reasoning collapsed above it. */
export function RecordedAnswer({
  answer,
  reasoning,
  empty,
}: {
  answer: string;
  reasoning: readonly string[];
  /** Shown for an answer without text. */
  empty: string;
}) {
  const { t } = useTranslation("chat");
  return (
    <>
      {reasoning.length > 0 && (
        <details className="mb-1 text-fg-2">
          <summary className="w-fit cursor-pointer rounded-sm text-xs text-fg-3 hover:text-fg-1">
            {t("reasoning")}
          </summary>
          <p className="mt-1 max-h-72 overflow-y-auto border-s-2 border-line ps-3.5 text-sm">
            {reasoning.join("\n\n").trim()}
          </p>
        </details>
      )}
      {answer === "" ? empty : answer}
    </>
  );
}
