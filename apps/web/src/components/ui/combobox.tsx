import { useState, type ComponentProps, type KeyboardEvent } from "react";
import { cn } from "../../lib/cn.ts";
import { Input } from "./field.tsx";

export interface ComboboxOption {
  value: string;
  /** Shown below the value. */
  text: string | null;
  /** Shown at the end of the option. */
  hint: string | null;
}

/**
 * A text field with a list to choose from: typing searches the list, and typed text counts even if
 * it isn't in the list. `status` replaces the list; without either, nothing opens.
 */
export function Combobox({
  value,
  options,
  listLabel,
  status,
  onOpen,
  onPick,
  onChange,
  onBlur,
  ...input
}: {
  value: string;
  options: ComboboxOption[];
  listLabel: string;
  /** For example that the list is loading; null to show the list. */
  status: (found: number) => string | null;
  onOpen: () => void;
  onPick: (option: ComboboxOption) => void;
} & Omit<ComponentProps<typeof Input>, "value" | "onPick"> & { id: string }) {
  const [open, setOpen] = useState(false);
  /** Whether anything was typed since the list opened; until then, all options are listed. */
  const [typed, setTyped] = useState(false);
  const [at, setAt] = useState(-1);
  const words = value.trim().toLowerCase().split(/\s+/);
  const found = !typed
    ? options
    : options.filter((option) =>
        words.every((word) => `${option.value} ${option.text ?? ""}`.toLowerCase().includes(word)),
      );
  const note = status(found.length);
  const shown = note === null ? found : [];
  const isShown = open && (note !== null || shown.length > 0);
  const listId = `${input.id}-list`;
  const optionId = (index: number): string => `${listId}-${index}`;
  const show = (): void => {
    if (open) return;
    setOpen(true);
    setTyped(false);
    setAt(-1);
    onOpen();
  };
  const pick = (option: ComboboxOption): void => {
    setOpen(false);
    onPick(option);
  };
  const move = (index: number): void => {
    setAt(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const active = shown[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) return show();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (shown.length > 0)
        move((at + step + shown.length + (at < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (event.key === "Enter" && open && active) {
      event.preventDefault();
      pick(active);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="relative">
      <Input
        {...input}
        value={value}
        className="select-arrow pe-7"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={open && shown[at] ? optionId(at) : undefined}
        onClick={show}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          show();
          setTyped(true);
          setAt(-1);
          void onChange?.(event);
        }}
        onBlur={(event) => {
          setOpen(false);
          void onBlur?.(event);
        }}
      />
      {isShown && (
        <div
          className={cn(
            "absolute inset-x-0 top-full z-(--layer-menu) mt-1 max-h-64 overflow-auto rounded-md border border-line bg-overlay p-1 shadow-float scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent",
            // A note alone must not block clicks on the button below it.
            shown.length === 0 && "pointer-events-none",
          )}
          // Keeps focus in the field, so that the list stays open.
          onMouseDown={(event) => event.preventDefault()}
        >
          {note !== null && (
            <p className="px-2 py-1.5 text-fg-3" role="status">
              {note}
            </p>
          )}
          <ul id={listId} role="listbox" aria-label={listLabel}>
            {shown.map((option, index) => (
              <li
                key={option.value}
                id={optionId(index)}
                role="option"
                aria-selected={option.value === value}
                className={cn(
                  "flex min-h-8 cursor-default items-center gap-3 rounded-sm px-2 py-1 hover:bg-hover aria-selected:text-accent max-md:min-h-11",
                  index === at && "bg-hover",
                )}
                onClick={() => pick(option)}
              >
                <span className="min-w-0 flex-1 truncate">
                  <bdi>{option.value}</bdi>
                  {option.text !== null && <span className="text-fg-3"> {option.text}</span>}
                </span>
                {option.hint !== null && (
                  <span className="flex-none text-xs text-fg-3 tabular-nums">{option.hint}</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
