import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";
import { buttonStyles } from "./button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";

/** A secret that is shown only once: a click selects all of it, and a button copies it. */
export function SecretOnce({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <div className="flex gap-2 max-md:flex-col">
        <Input
          id={id}
          className="overflow-ellipsis font-mono text-xs"
          dir="ltr"
          readOnly
          value={value}
          autoFocus
          onFocus={(event) => event.target.select()}
        />
        <CopyButton
          className={buttonStyles({ className: "h-9 flex-none max-md:h-11" })}
          words
          text={() => value}
        />
      </div>
    </Field>
  );
}
