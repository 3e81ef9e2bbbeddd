import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../lib/clipboard.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";

/** Copies `text` and confirms it for two seconds. `words` shows the label next to the icon. */
export function CopyButton({
  text,
  words = false,
  ...look
}: { text: () => string; words?: boolean } & Pick<ButtonProps, "variant" | "size" | "className">) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  const label = done ? t("copied") : t("copy");
  const Icon = done ? Check : Copy;
  const copy = (): void => void copyText(text()).then(() => setDone(true));
  return words ? (
    <Button {...look} onClick={copy}>
      <Icon className="size-3.5 stroke-2" aria-hidden="true" />
      {label}
    </Button>
  ) : (
    <IconButton label={label} className={look.className} onClick={copy}>
      <Icon aria-hidden="true" />
    </IconButton>
  );
}
