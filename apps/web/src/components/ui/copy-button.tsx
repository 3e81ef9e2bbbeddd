import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../lib/clipboard.ts";

/** Copies `text` and confirms it for two seconds. `words` shows the label next to the icon. */
export function CopyButton({
  text,
  words,
  className = "ib",
}: {
  text: () => string;
  words?: boolean;
  className?: string;
}) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  const label = done ? t("copied") : t("copy");
  const size = words ? "size-3.5 stroke-2" : undefined;
  return (
    <button
      type="button"
      className={className}
      aria-label={words ? undefined : label}
      title={words ? undefined : label}
      onClick={() => void copyText(text()).then(() => setDone(true))}
    >
      {done ? (
        <Check className={size} aria-hidden="true" />
      ) : (
        <Copy className={size} aria-hidden="true" />
      )}
      {words && label}
    </button>
  );
}
