import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** An on/off setting that applies at once. Its pointer target is larger than it looks. */
export const Switch = ({
  checked,
  onChange,
  className,
  ...button
}: { checked: boolean; onChange: (checked: boolean) => void } & Omit<
  ComponentProps<"button">,
  "onChange"
>) => (
  <button
    {...button}
    type="button"
    role="switch"
    className={cn(
      "relative h-5 w-8 flex-none rounded-[10px] border-[1.5px] border-control bg-sunken disabled:cursor-default disabled:opacity-50 aria-checked:border-accent-solid aria-checked:bg-accent-solid",
      "before:absolute before:-inset-2.5",
      "after:absolute after:start-[3px] after:top-[2.5px] after:size-3 after:rounded-full after:bg-control after:transition-[inset-inline-start] after:duration-(--motion-fast) after:ease-out aria-checked:after:start-3.5 aria-checked:after:bg-on-accent",
      className,
    )}
    aria-checked={checked}
    onClick={() => onChange(!checked)}
  />
);

/** A 16 px checkbox with a 24 px pointer target; `mixed` is the indeterminate state. */
export function Checkbox({
  mixed = false,
  checked,
  className,
  ...input
}: { mixed?: boolean; checked: boolean } & Omit<
  ComponentProps<"input">,
  "type" | "checked" | "ref"
>) {
  return (
    <input
      {...input}
      type="checkbox"
      className={clsx(
        "relative -m-1 size-6 flex-none cursor-pointer appearance-none rounded-sm disabled:cursor-default disabled:opacity-55",
        "before:absolute before:inset-1 before:rounded-[4px] before:border-[1.5px] before:border-control before:bg-surface",
        "not-checked:not-indeterminate:hover:before:border-fg-2",
        "checked:before:border-accent-solid checked:before:bg-accent-solid",
        "indeterminate:before:border-accent-solid indeterminate:before:bg-accent-solid",
        "not-indeterminate:checked:after:absolute not-indeterminate:checked:after:start-[9px] not-indeterminate:checked:after:top-1.5",
        "not-indeterminate:checked:after:h-[9px] not-indeterminate:checked:after:w-[5px] not-indeterminate:checked:after:rotate-42",
        "not-indeterminate:checked:after:border-0 not-indeterminate:checked:after:border-r-2 not-indeterminate:checked:after:border-b-2 not-indeterminate:checked:after:border-on-accent",
        "indeterminate:after:absolute indeterminate:after:inset-x-2 indeterminate:after:top-[11px] indeterminate:after:h-0.5 indeterminate:after:rounded-[1px] indeterminate:after:bg-on-accent",
        className,
      )}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
    />
  );
}

interface ChoiceCard<V extends string> {
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
