import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DialogContent, scrimStyles } from "../../../components/ui/dialog.tsx";
import { cn } from "../../../lib/cn.ts";
import { useDebounced } from "../../../lib/document-search.ts";
import { splitHits, wordsOf } from "../state/hits.ts";
import { usePaletteGroups, type PaletteItem, type PaletteProps } from "../state/palette-groups.ts";

/**
 * Focuses the composer after navigation, because the field that had focus may be gone with its
 * page.
 */
function focusComposer(event: Event): void {
  event.preventDefault();
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.querySelector<HTMLElement>("[data-composer] textarea")?.focus();
  });
}

/** The pieces, with hits highlighted. */
function Hits({ pieces }: { pieces: { text: string; hit: boolean }[] }) {
  return pieces.map(({ text: piece, hit }, index) =>
    hit ? (
      <mark className="rounded-[3px] bg-accent-subtle font-medium text-accent" key={index}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

function ItemText({ item, words }: { item: PaletteItem; words: string[] }) {
  const excerpt = item.pieces ?? (item.excerpt ? splitHits(item.excerpt, words) : null);
  return (
    <span className="grid min-w-0 flex-1 grid-cols-1">
      <span className="flex items-center gap-2">
        <span className="truncate" dir="auto">
          <Hits pieces={splitHits(item.label, words)} />
        </span>
        {item.hint && (
          <span className="ms-auto truncate text-xs text-fg-3" dir="auto">
            {item.hint}
          </span>
        )}
      </span>
      {excerpt && (
        <span className="line-clamp-2 text-xs wrap-anywhere text-fg-2">
          <Hits pieces={excerpt} />
        </span>
      )}
    </span>
  );
}

/**
 * Finds everything that can be opened or done: recent places first, then the server's matches in
 * names, messages and documents, then settings pages and actions.
 */
export function Palette(props: PaletteProps) {
  const { t } = useTranslation("shell");
  const { onClose } = props;
  const [typed, setTyped] = useState("");
  const wanted = typed.trim();
  const term = useDebounced(wanted);
  const words = useMemo(() => wordsOf(wanted), [wanted]);
  const { groups, state } = usePaletteGroups(props, wanted, term, words);
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className={scrimStyles} />
        <DialogContent
          onClose={onClose}
          className="fixed inset-x-0 top-[12dvh] z-(--layer-dialog) mx-auto w-[min(560px,100vw-24px)] animate-appear overflow-hidden rounded-lg bg-overlay shadow-dialog outline-none max-md:top-3"
          aria-describedby={undefined}
          onCloseAutoFocus={focusComposer}
        >
          <Radix.Title className="sr-only">{t("search")}</Radix.Title>
          <Command label={t("search")} loop shouldFilter={false}>
            <div className="flex items-center gap-2.5 border-b border-subtle px-4 text-fg-3">
              <Search aria-hidden="true" />
              <Command.Input
                className="h-12 min-w-0 flex-1 bg-transparent text-md text-fg-1 outline-none"
                value={typed}
                onValueChange={setTyped}
                maxLength={200}
                placeholder={t("palettePlaceholder")}
                autoFocus
              />
            </div>
            <Command.List className="max-h-[52dvh] overflow-auto p-1.5" label={t("search")}>
              {groups.map(({ name, items }) => (
                <Command.Group
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
                  key={name}
                  heading={name}
                >
                  {items.map((item) => (
                    <Command.Item
                      className={cn(
                        "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 aria-selected:bg-selected [&>svg]:text-fg-3",
                        (item.excerpt || item.pieces) && "items-start py-1.75 [&>svg]:mt-0.75",
                      )}
                      key={item.id}
                      value={item.id}
                      onSelect={() => {
                        onClose();
                        item.run();
                      }}
                    >
                      <item.icon className="size-3.5 stroke-2" aria-hidden="true" />
                      <ItemText item={item} words={words} />
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            {state && (
              <p className="px-4 pt-1 pb-3 text-xs text-fg-3" role="status">
                {state}
              </p>
            )}
          </Command>
        </DialogContent>
      </Radix.Portal>
    </Radix.Root>
  );
}
