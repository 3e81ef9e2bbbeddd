import { useId } from "react";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Textarea,
} from "../../../components/ui/field.tsx";

/** Multi-line text with its label, and a hint or error below. */
export function LinesField({
  label,
  help,
  problem = null,
  value,
  onChange,
  ...area
}: {
  label: string;
  help: string;
  problem?: string | null;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  dir?: "ltr";
  maxLength?: number;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Textarea
        {...area}
        id={id}
        rows={3}
        value={value}
        invalid={problem !== null}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem === null ? (
        <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      ) : (
        <FieldError id={`${id}-note`} role="alert">
          {problem}
        </FieldError>
      )}
    </Field>
  );
}
