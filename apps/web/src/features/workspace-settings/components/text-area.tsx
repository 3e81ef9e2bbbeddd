import { useId, type ComponentProps, type ReactNode } from "react";
import {
  Field,
  FieldError,
  FieldHelp,
  Textarea,
  labelStyles,
} from "../../../components/ui/field.tsx";

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
    <Field>
      <div className={labelStyles}>
        <label htmlFor={id}>{label}</label>
        {extra}
      </div>
      <Textarea
        className="min-h-19"
        {...area}
        id={id}
        invalid={Boolean(problem)}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || help ? `${id}-note` : undefined}
      />
      {problem ? (
        <FieldError id={`${id}-note`} role="alert">
          {problem}
        </FieldError>
      ) : (
        help && <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      )}
    </Field>
  );
}
