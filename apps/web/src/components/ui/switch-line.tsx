import { useId, type ReactNode } from "react";
import { Switch } from "./choices.tsx";

/** A switch with its name and what it does. */
export function SwitchLine({
  label,
  help,
  on,
  busy = false,
  disabled = false,
  onChange,
}: {
  label: string;
  help?: ReactNode;
  on: boolean;
  /** Its last change is still being saved. */
  busy?: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-5 max-md:min-h-11">
      <div className="min-w-0 flex-1">
        <span id={id} className="font-medium wrap-anywhere">
          {label}
        </span>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-pretty text-fg-2">
            {help}
          </p>
        )}
      </div>
      <Switch
        className="mt-0.5"
        checked={on}
        aria-labelledby={id}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        aria-busy={busy || undefined}
        disabled={disabled}
        onChange={(next) => {
          if (!busy) onChange(next);
        }}
      />
    </div>
  );
}
