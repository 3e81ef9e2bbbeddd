import { useId, type ReactNode } from "react";
import { labelStyles } from "../../../components/ui/field.tsx";
import { cn } from "../../../lib/cn.ts";

/** A radio group in which every option has a description; the arrow keys move, as usual. */
export function ChoiceList<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: { value: V; name: string; help?: ReactNode }[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className={cn(labelStyles, "mb-1.5")}>{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line bg-surface px-3 py-2.5 hover:border-strong has-checked:border-accent-line has-checked:bg-accent-subtle has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            className="mt-[3px] size-4 flex-none cursor-pointer appearance-none rounded-full border-[1.5px] border-control bg-surface outline-none checked:border-[5px] checked:border-accent-solid"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="min-w-0 flex-1">
            <b className="font-medium">{option.name}</b>
            {option.help && <span className="text-fg-2 block">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
