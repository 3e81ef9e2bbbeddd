import type { LucideIcon } from "lucide-react";

export interface ChoiceCard<V extends string> {
  value: V;
  label: string;
  text?: string;
  icon?: LucideIcon;
}

/** A choice of a few large options, side by side; stacked on phones. */
export function ChoiceCards<V extends string>({
  name,
  label,
  value,
  options,
  onChange,
}: {
  /** Name of the radio buttons; unique on the page. */
  name: string;
  label: string;
  value: V | null;
  options: ChoiceCard<V>[];
  onChange: (value: V) => void;
}) {
  return (
    <div
      className="grid grid-flow-col auto-cols-fr gap-2 max-md:grid-flow-row"
      role="radiogroup"
      aria-label={label}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="group/card relative flex cursor-pointer items-start gap-3 rounded-md border border-line bg-surface px-4 py-3 hover:border-strong hover:bg-hover has-checked:border-accent-solid has-checked:bg-accent-subtle has-checked:inset-ring has-checked:inset-ring-accent-solid has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 cursor-pointer opacity-0"
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon && (
            <option.icon
              className="mt-0.5 text-fg-3 group-has-checked/card:text-accent"
              aria-hidden="true"
            />
          )}
          <span className="min-w-0">
            <span className="block font-medium">{option.label}</span>
            {option.text && <span className="block text-fg-2">{option.text}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}
