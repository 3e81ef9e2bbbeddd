import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";
import { Field, FieldLabel } from "./field.tsx";
import { Input } from "./input.tsx";

/** A secret that is shown only once: a click selects all of it, and a button copies it. */
export function SecretOnce({ label, value }: { label: string; value: string }) {
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
          autoFocus
          onFocus={(event) => event.target.select()}
        />
        <CopyButton className="h-9 flex-none max-md:h-11" words text={() => value} />
      </div>
    </Field>
  );
}
