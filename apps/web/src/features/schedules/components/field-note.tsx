import { FieldError, FieldHelp } from "../../../components/ui/field.tsx";

/** What is wrong with a field, or else its help, below it. */
export function FieldNote({
  id,
  problem,
  help,
}: {
  id: string;
  problem: string | null;
  help?: string | undefined;
}) {
  if (problem !== null)
    return (
      <FieldError id={id} role="alert">
        {problem}
      </FieldError>
    );
  return help === undefined ? null : <FieldHelp id={id}>{help}</FieldHelp>;
}
