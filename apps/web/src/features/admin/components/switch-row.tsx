import { useId } from "react";
import { Switch } from "../../../components/ui/choices.tsx";

/**
 * A setting that applies immediately. `busy`: it is being saved, and the switch stays focusable.
 */
export function SwitchRow({
  label,
  help,
  on,
  busy,
  disabled = false,
  onChange,
}: {
  label: string;
  help: string;
  on: boolean;
  busy: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span id={id} className="font-medium">
          {label}
        </span>
        <p id={`${id}-help`} className="text-pretty text-fg-2">
          {help}
        </p>
      </div>
      <Switch
        className="mt-0.5"
        checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        aria-busy={busy || undefined}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  );
}
