import { CircleAlert } from "lucide-react";
import { useId, type ComponentProps, type ReactNode } from "react";

/**
 * A labelled multi-line field with its help text or error below. `extra` goes at the end of the
 * label's line.
 */
export function TextArea({
  label,
  extra,
  help,
  problem,
  ...area
}: {
  label: string;
  extra?: ReactNode;
  help?: ReactNode;
  problem?: string | null | undefined;
} & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <div className="field">
      <div className="lbl">
        <label htmlFor={id}>{label}</label>
        {extra}
      </div>
      <textarea
        {...area}
        id={id}
        className={problem ? "input area bad" : "input area"}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || help ? `${id}-note` : undefined}
      />
      {problem ? (
        <p className="err" id={`${id}-note`} role="alert">
          <CircleAlert className="i sm" aria-hidden="true" />
          <span>{problem}</span>
        </p>
      ) : (
        help && (
          <p className="help" id={`${id}-note`}>
            {help}
          </p>
        )
      )}
    </div>
  );
}
