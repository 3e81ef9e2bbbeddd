import { useId, type ReactNode, type Ref } from "react";

/** A titled section of a settings page, separated from the previous one. */
export function FormSection({
  title,
  help,
  ref,
  children,
}: {
  title: ReactNode;
  help?: ReactNode;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      ref={ref}
      className="grid grid-cols-1 gap-4 border-subtle [section+&]:border-t [section+&]:pt-8"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        {help && <p className="text-fg-2">{help}</p>}
      </div>
      {children}
    </section>
  );
}
