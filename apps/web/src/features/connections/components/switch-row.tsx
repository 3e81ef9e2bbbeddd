import { useId } from "react";
import { Switch } from "../../../components/ui/choices.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";

/** A switch of a form, with what it does. */
export function SwitchRow({
  label,
  help,
  isWarning = false,
  ...button
}: {
  label: string;
  help: string | undefined;
  isWarning?: boolean;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <Switch
        {...button}
        id={id}
        className="mt-0.5"
        aria-labelledby={`${id}-label`}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
      />
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="font-medium">
          {label}
        </label>
        {help && (
          <FieldHelp id={`${id}-help`} className={isWarning ? "text-warning" : undefined}>
            {help}
          </FieldHelp>
        )}
      </div>
    </div>
  );
}
