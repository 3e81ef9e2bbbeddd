import type { ReactNode } from "react";

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
    <main className="main" id="main">
      {bar}
      <header className="set-title desk-only">
        <h1>{title}</h1>
        <p>{sentence}</p>
      </header>
      {children}
    </main>
  );
}
