import type { ReactNode } from "react";
import { Main } from "../../../components/ui/page.tsx";

/** Title, a sentence on the page's purpose, then the cards. */
export function SettingsPage({
  bar,
  title,
  sentence,
  children,
}: {
  bar: ReactNode;
  title: string;
  sentence: string;
  children: ReactNode;
}) {
  return (
    <Main>
      {bar}
      <header className="border-b border-subtle px-6 pt-6 pb-5 max-md:hidden">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-0.5 text-fg-3">{sentence}</p>
      </header>
      {children}
    </Main>
  );
}
