import { clsx } from "clsx";
import { Braces } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  inputStyles,
  labelStyles,
} from "../../../components/ui/field.tsx";
import { cn } from "../../../lib/cn.ts";
import { openReference, suggestPaths, type Suggestion } from "../state/variables.ts";

interface Props {
  label: string;
  /** Only for screen readers, in rows whose columns have names. */
  hidesLabel?: boolean;
  help?: string | undefined;
  problem?: string | null;
  value: string;
  onChange: (value: string) => void;
  /** Rows of a text of several lines; one line without it. */
  lines?: number;
  mono?: boolean;
  placeholder?: string;
  /** The variables to offer, and their values in the last test run. */
  names: readonly string[];
  values: Readonly<Record<string, unknown>>;
}

/** A text in which `${` offers variables and paths into their values. */
export function VariableText({
  label,
  hidesLabel = false,
  help,
  problem = null,
  value,
  onChange,
  lines,
  mono = false,
  placeholder,
  names,
  values,
}: Props) {
  const { t } = useTranslation("flows");
  const id = useId();
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  /** Where the caret goes once the text has changed. */
  const caret = useRef<number | null>(null);
  const [reference, setReference] = useState<{ start: number; typed: string } | null>(null);
  const [at, setAt] = useState(0);
  const suggestions = reference ? suggestPaths(reference.typed, names, values) : [];
  const active = suggestions[at];
  const listId = `${id}-list`;

  useLayoutEffect(() => {
    if (caret.current === null) return;
    control.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const isOpen = reference !== null;
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);

  const look = (): void => {
    const { current } = control;
    const end = current?.selectionStart ?? 0;
    const found = current?.selectionEnd === end ? openReference(current.value.slice(0, end)) : null;
    setReference(found);
    if (found?.typed !== reference?.typed) setAt(0);
  };
  const pick = ({ path }: Suggestion): void => {
    if (!reference) return;
    const end = reference.start + 2 + reference.typed.length;
    const rest = value.slice(end).replace(/^\}/, "");
    caret.current = reference.start + path.length + 3;
    setReference(null);
    onChange(`${value.slice(0, reference.start)}\${${path}}${rest}`);
  };
  const insert = (): void => {
    const { current } = control;
    if (!current) return;
    const start = current.selectionStart ?? value.length;
    const end = current.selectionEnd ?? start;
    caret.current = start + 2;
    current.focus();
    onChange(`${value.slice(0, start)}\${${value.slice(end)}`);
    setReference({ start, typed: "" });
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!reference || event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      setReference(null);
    } else if (suggestions.length === 0) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next =
        (at + (event.key === "ArrowDown" ? 1 : -1) + suggestions.length) % suggestions.length;
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if ((event.key === "Enter" || event.key === "Tab") && active) {
      event.preventDefault();
      pick(active);
    }
  };
  const noteId = `${id}-note`;
  const input = {
    id,
    ref: control,
    value,
    placeholder,
    spellCheck: !mono,
    autoComplete: "off",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": isOpen && suggestions.length > 0,
    "aria-controls": isOpen && suggestions.length > 0 ? listId : undefined,
    "aria-activedescendant": isOpen && active ? `${listId}-${at}` : undefined,
    "aria-label": hidesLabel ? label : undefined,
    "aria-invalid": problem !== null || undefined,
    "aria-describedby": problem !== null || help !== undefined ? noteId : undefined,
    onChange: (event: { target: { value: string } }) => {
      onChange(event.target.value);
      look();
    },
    onSelect: look,
    onBlur: () => setReference(null),
    onKeyDown,
  } as const;
  const looks = cn(
    inputStyles({ invalid: problem !== null, height: lines ? "lines" : "md" }),
    mono && "font-mono text-xs/5",
    "pe-8",
  );
  return (
    <Field className="relative min-w-0">
      {!hidesLabel && (
        <div className={labelStyles}>
          <label htmlFor={id}>{label}</label>
        </div>
      )}
      <div className="relative min-w-0">
        {lines ? (
          <textarea {...input} rows={lines} className={looks} />
        ) : (
          <input {...input} type="text" className={looks} />
        )}
        <IconButton
          className="absolute end-1 top-1 max-md:end-1.5 max-md:top-1.5 max-md:size-8"
          label={t("field.insertVariable", { field: label })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={insert}
        >
          <Braces className="size-3.5" />
        </IconButton>
        {isOpen && (
          <div
            ref={popup}
            className="absolute inset-x-0 top-full z-(--layer-menu) mt-1 max-h-60 overflow-auto rounded-md border border-line bg-overlay p-1 shadow-float scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent"
            onMouseDown={(event) => event.preventDefault()}
          >
            {suggestions.length === 0 ? (
              <p className="px-2 py-1.5 text-fg-3" role="status">
                {t(names.length === 0 ? "field.noVariables" : "field.noMatch")}
              </p>
            ) : (
              <ul id={listId} role="listbox" aria-label={t("field.suggestions")}>
                {suggestions.map((suggestion, index) => (
                  <li
                    key={suggestion.path}
                    id={`${listId}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    className={clsx(
                      "flex min-h-8 cursor-default items-center gap-3 rounded-sm px-2 py-1 hover:bg-hover max-md:min-h-11",
                      index === at && "bg-hover",
                    )}
                    onClick={() => pick(suggestion)}
                  >
                    <code className="flex-none font-mono text-xs">{suggestion.path}</code>
                    {suggestion.preview !== null && (
                      <span className="min-w-0 flex-1 truncate text-end text-xs text-fg-3">
                        {suggestion.preview}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
      {problem !== null ? (
        <FieldError id={noteId}>{problem}</FieldError>
      ) : (
        help !== undefined && <FieldHelp id={noteId}>{help}</FieldHelp>
      )}
    </Field>
  );
}
