import { cva, type VariantProps } from "class-variance-authority";
import { useCallback } from "react";

const avatar = cva(
  "grid flex-none place-items-center overflow-hidden bg-active leading-none font-semibold text-fg-1",
  {
    variants: {
      size: { sm: "size-6 text-[10px]", md: "size-7 text-[11px]", lg: "size-16 text-[22px]" },
      shape: { round: "rounded-full", square: "rounded-md" },
    },
    defaultVariants: { size: "sm", shape: "round" },
  },
);

/** A picture, or the initials without one. Decorative: the name is shown next to it. */
export function Avatar({
  initials,
  picture = null,
  ...look
}: { initials: string; picture?: Blob | null } & VariantProps<typeof avatar>) {
  return (
    <span className={avatar(look)} aria-hidden="true">
      {picture ? <Picture bytes={picture} /> : initials}
    </span>
  );
}

/** Creates the object URL on mount and revokes it on unmount. */
function Picture({ bytes }: { bytes: Blob }) {
  const attach = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(bytes);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [bytes],
  );
  return <img className="size-full object-cover" ref={attach} alt="" />;
}

/** One or two letters for a name: "mira.kowalska" is MK, "mira" is M. */
export function initialsOf(name: string): string {
  const parts = name
    .replace(/@.*$/, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map(
    (part) => [...(part ?? "")][0] ?? "",
  );
  return letters.join("").toUpperCase() || "?";
}
