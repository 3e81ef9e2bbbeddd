import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A secret that is shown only once: a click selects all of it, and a button copies it. */
export function SecretOnce({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="once">
        <input
          id={id}
          className="input"
          dir="ltr"
          readOnly
          value={value}
          autoFocus
          onFocus={(event) => event.target.select()}
        />
        <CopyButton className="btn" words text={() => value} />
      </div>
    </div>
  );
}
