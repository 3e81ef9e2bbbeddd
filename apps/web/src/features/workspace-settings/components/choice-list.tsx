import { useId, type ReactNode } from "react";

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
    <fieldset className="choices">
      <legend className="lbl">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="grow">
            <b className="med">{option.name}</b>
            {option.help && <span className="t2 block">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
