import { Link } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles, type ButtonProps } from "../../../components/ui/button.tsx";
import { toast } from "../../../lib/toast.ts";
import { useFinishOnboarding } from "../api/onboarding.ts";
import type { Step } from "../state/steps.ts";

const column = "mx-auto w-full max-w-[720px] px-8 max-md:px-4";

/**
 * One step: a question, its fields, and the buttons below. If a step asks for nothing at first, its
 * heading gets focus, so that screen readers announce it.
 */
export function StepPage({
  title,
  sentence,
  back,
  footer,
  focusesHeading = true,
  children,
}: {
  title: string;
  sentence: string;
  /** The previous step. */
  back: Step;
  footer: ReactNode;
  focusesHeading?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation("onboarding");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusesHeading) heading.current?.focus();
  }, [focusesHeading]);
  return (
    <>
      <div className="min-h-0 flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent">
        <div className={`${column} py-16 max-md:py-6`}>
          <h1
            ref={heading}
            className="text-2xl font-[560] tracking-tight text-balance outline-none max-md:text-[24px]/7.5"
            tabIndex={-1}
          >
            {title}
          </h1>
          <p className="mt-1.5 mb-7 max-w-[60ch] text-md text-fg-2 max-md:mb-5">{sentence}</p>
          {children}
        </div>
      </div>
      <footer className="flex-none border-t border-subtle bg-surface" data-bottom-bar>
        <div
          className={`${column} flex items-center gap-2 py-4 max-md:py-3 max-md:[&>:is(a,button)]:min-h-11`}
        >
          <Link
            className={buttonStyles({ variant: "quiet", className: "-ms-3" })}
            {...(back === "home"
              ? { to: "/onboarding" }
              : { to: "/onboarding/$step", params: { step: back } })}
          >
            {t("back")}
          </Link>
          <span className="flex-1" />
          {footer}
        </div>
      </footer>
    </>
  );
}

/** The shortcut past the wizard: a workspace that answers with quotes, without a model. */
export function StartWithoutKey({
  onCreated,
  settings = {},
  ...button
}: {
  onCreated: (slug: string) => void;
  /** Settings chosen so far. */
  settings?: Record<string, string>;
} & Pick<ButtonProps, "size" | "variant" | "className">) {
  const { t } = useTranslation("onboarding");
  const finish = useFinishOnboarding();
  return (
    <Button
      {...button}
      disabled={finish.isPending}
      onClick={() =>
        finish.mutate(
          { name: t("start.workspace"), settings },
          {
            onSuccess: ({ slug }) => onCreated(slug),
            onError: ({ message }) => toast.error(t("start.failed", { message })),
          },
        )
      }
    >
      {finish.isPending ? t("start.starting") : t("start.withoutKey")}
    </Button>
  );
}
