import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { MenuProps } from "./menu-item.ts";

/**
 * Returns focus to the menu's button before an item opens something: the item itself is gone when
 * that closes.
 */
function focusTrigger({ currentTarget }: Event): void {
  const id =
    currentTarget instanceof Element
      ? currentTarget.closest('[role="menu"]')?.getAttribute("aria-labelledby")
      : null;
  if (id) document.getElementById(id)?.focus();
}

/** The open menu. Destructive items come last, after a separator. */
export default function OpenMenu({ trigger, items }: MenuProps) {
  const firstDanger = items.findIndex((item) => item.danger);
  return (
    <DropdownMenu.Root
      modal={false}
      defaultOpen
      dir={document.documentElement.dir === "rtl" ? "rtl" : "ltr"}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.flatMap((item, index) => [
            index === firstDanger && index > 0 ? (
              <DropdownMenu.Separator className="rule" key={`line-${item.label}`} />
            ) : null,
            item.checked !== undefined ? (
              <DropdownMenu.CheckboxItem
                key={item.label}
                checked={item.checked}
                disabled={item.disabled ?? false}
                onSelect={(event) => {
                  focusTrigger(event);
                  item.run();
                }}
              >
                <item.icon className="size-3.5 stroke-2" aria-hidden="true" />
                {item.label}
                <DropdownMenu.ItemIndicator className="ms-auto">
                  <Check className="size-3.5 stroke-2" aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.CheckboxItem>
            ) : (
              <DropdownMenu.Item
                key={item.label}
                className={item.danger ? "bad" : ""}
                disabled={item.disabled ?? false}
                onSelect={(event) => {
                  focusTrigger(event);
                  item.run();
                }}
              >
                <item.icon className="size-3.5 stroke-2" aria-hidden="true" />
                {item.label}
                {item.shortcut && <kbd>{item.shortcut}</kbd>}
              </DropdownMenu.Item>
            ),
          ])}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
