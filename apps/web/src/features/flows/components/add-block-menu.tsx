import { DropdownMenu } from "radix-ui";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { clientBlocks, ownBlocks, type BlockType } from "../state/blocks.ts";
import type { Place } from "../state/tree.ts";
import { blockIcons } from "./block-looks.ts";
import { useScope } from "./builder-context.ts";

/** A menu of blocks, each with what it does, which adds one at a place. */
export function AddBlockMenu({ place, trigger }: { place: Place; trigger: ReactElement }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const hasStart = builder.content.steps.some(({ type }) => type === "start");
  const isFirst = place.parent === null && place.index === 0;
  const groups: { label: string; types: readonly BlockType[] }[] = [
    {
      label: t("block.groupBasic"),
      types: isFirst && !hasStart ? ["start", ...clientBlocks] : clientBlocks,
    },
    { label: t("block.groupOwn"), types: ownBlocks },
  ];
  return (
    <DropdownMenu.Root modal={false} dir={document.documentElement.dir === "rtl" ? "rtl" : "ltr"}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="z-(--layer-menu) max-h-(--radix-dropdown-menu-content-available-height) w-[min(360px,100vw-16px)] overflow-y-auto animate-appear rounded-md border border-line bg-overlay p-1 shadow-float scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // The new block has focus then.
          onCloseAutoFocus={(event) => {
            if (document.activeElement?.closest("[data-block]")) event.preventDefault();
          }}
        >
          {groups.map(({ label, types }) => (
            <DropdownMenu.Group key={label} aria-label={label}>
              <DropdownMenu.Label className="px-2 pt-2 pb-1 text-xs font-medium text-fg-3">
                {label}
              </DropdownMenu.Label>
              {types.map((type) => {
                const Icon = blockIcons[type];
                return (
                  <DropdownMenu.Item
                    key={type}
                    className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2 py-1 outline-none select-none data-highlighted:bg-hover"
                    textValue={t(`block.type.${type}.name`)}
                    onSelect={() => builder.add(type, place)}
                  >
                    <Icon className="size-4 flex-none text-fg-3" aria-hidden="true" />
                    <span className="grid min-w-0">
                      <span className="font-medium">{t(`block.type.${type}.name`)}</span>
                      <span className="text-xs/4 text-fg-3">{t(`block.type.${type}.help`)}</span>
                    </span>
                  </DropdownMenu.Item>
                );
              })}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
