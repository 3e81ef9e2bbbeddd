import { useRef, type KeyboardEvent } from "react";

/**
 * A choice of two or three visible options; arrow keys move, Tab leaves it. Radix' radio group does
 * the same but adds 7 kB to the first page (docs/decisions/libraries.md).
 */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
}: {
  label: string;
  value: V;
  options: { value: V; label: string; title?: string }[];
  onChange: (value: V) => void;
  disabled?: boolean;
}) {
  const group = useRef<HTMLDivElement>(null);
  const chosen = options.findIndex((option) => option.value === value);
  const move = (event: KeyboardEvent): void => {
    const along = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: along, ArrowLeft: -along, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : options[chosen + step];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!next) return;
    onChange(next.value);
    (group.current?.children[chosen + step] as HTMLElement | undefined)?.focus();
  };
  return (
    <div
      ref={group}
      className="inline-flex flex-wrap gap-0.5 rounded-sm bg-sunken p-0.5 inset-ring inset-ring-subtle"
      role="radiogroup"
      aria-label={label}
      onKeyDown={move}
    >
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          className="min-h-6 grow rounded-[4px] px-2.5 text-center text-xs/6 font-medium text-fg-3 hover:text-fg-1 aria-checked:bg-overlay aria-checked:text-fg-1 aria-checked:shadow-raised aria-checked:ring aria-checked:ring-line"
          aria-checked={index === chosen}
          title={option.title}
          disabled={disabled}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
