import { Check, Copy } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton, type ButtonProps } from "./button.tsx";
import { Field, FieldLabel, Input } from "./field.tsx";

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

/**
 * Copies text. Without HTTPS the clipboard API is unavailable, but a selection and the old copy
 * command still work.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Inside the open dialog, if any: its focus trap would take the selection from anything outside.
  (document.activeElement?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Downloads text as a file. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser reads it after this returns
}

/** A text that a click selects and a button copies. */
export function CopyField({
  label,
  value,
  autoFocus = false,
}: {
  label: string;
  value: string;
  autoFocus?: boolean;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div className="flex gap-2 max-md:flex-col">
        <Input
          id={id}
          className="overflow-ellipsis font-mono text-xs max-md:text-xs"
          dir="ltr"
          readOnly
          value={value}
          autoFocus={autoFocus}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton className="h-9 flex-none max-md:h-11" words text={() => value} />
      </div>
    </Field>
  );
}

/** A secret that is shown only once. */
export const SecretOnce = (props: { label: string; value: string }) => (
  <CopyField {...props} autoFocus />
);
