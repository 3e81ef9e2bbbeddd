import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FieldError } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Input, Select } from "../../../components/ui/input.tsx";
import type { FooterLink } from "../api/branding.ts";
import { isLinkFaulty } from "../state/branding-form.ts";
import { footerIcons, iconOf } from "../state/footer-icons.ts";

const maxLinks = 3;

/** The links at the bottom of the sidebar: at most three icons and where they lead. */
export function FooterEditor({
  links,
  onChange,
}: {
  links: FooterLink[];
  onChange: (links: FooterLink[]) => void;
}) {
  const { t } = useTranslation("appearance");
  const list = useRef<HTMLDivElement>(null);
  const change = (next: FooterLink[], focus: string): void => {
    flushSync(() => onChange(next));
    list.current?.querySelector<HTMLElement>(focus)?.focus();
  };
  const edit = (index: number, part: Partial<FooterLink>): void =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...part } : link)));
  return (
    <FormSection title={t("footer")} help={t("footerHelp")}>
      <div ref={list} className="grid gap-3">
        {links.map((link, index) => {
          const number = index + 1;
          const Icon = iconOf(link.icon);
          const isFaulty = isLinkFaulty(link);
          const isKnown = footerIcons.some((name) => name === link.icon);
          return (
            <div
              key={index}
              className="grid gap-1.5"
              role="group"
              aria-label={t("linkNumber", { number })}
            >
              <div className="flex items-center gap-2 max-md:flex-wrap">
                <Icon className="text-fg-2" aria-hidden="true" />
                <div className="w-36 flex-none max-md:min-w-0 max-md:flex-1">
                  <Select
                    aria-label={t("linkIcon", { number })}
                    value={link.icon}
                    onChange={(event) => edit(index, { icon: event.target.value })}
                  >
                    {!isKnown && <option value={link.icon}>{link.icon}</option>}
                    {footerIcons.map((name) => (
                      <option key={name} value={name}>
                        {t(`icon.${name}`)}
                      </option>
                    ))}
                  </Select>
                </div>
                <IconButton
                  className="order-last max-md:order-none max-md:size-10"
                  label={t("removeLink", { number })}
                  onClick={() => change(links.toSpliced(index, 1), "[data-add]")}
                >
                  <Trash2 />
                </IconButton>
                <Input
                  className="max-md:basis-full"
                  data-address={index}
                  invalid={isFaulty && link.url !== ""}
                  inputMode="url"
                  dir="ltr"
                  spellCheck={false}
                  maxLength={2_048}
                  placeholder="https://"
                  aria-label={t("linkAddress", { number })}
                  aria-invalid={isFaulty || undefined}
                  aria-describedby={isFaulty ? `footer-${index}` : undefined}
                  value={link.url}
                  onChange={(event) => edit(index, { url: event.target.value })}
                />
              </div>
              {isFaulty && <FieldError id={`footer-${index}`}>{t("fault.link")}</FieldError>}
            </div>
          );
        })}
        <div>
          <Button
            data-add
            disabled={links.length >= maxLinks}
            onClick={() =>
              change(
                [...links, { icon: "LinkSimple", url: "" }],
                `[data-address="${links.length}"]`,
              )
            }
          >
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t("addLink")}
          </Button>
        </div>
      </div>
    </FormSection>
  );
}
