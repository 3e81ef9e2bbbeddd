/**
 * Words that name columns in any subject, in the languages that files most often have. Words that
 * are as common among values ("open", "other") or label rows ("total") are left out.
 */
const words = new Set(
  `
  address amount author category city class code colour color column comment company contact count
  country created currency customer date department description email event field file format gender
  group id item key kind label language level link location manager mode model name note notes number
  object order owner parameter phone place position price priority product property quantity reference
  region role section sex size sort source species state status street subject tag target time title
  topic type unit updated url user value variable vendor version weight year zip
  abteilung adresse anzahl artikel art autor bemerkung beschreibung betrag bezeichnung datum einheit
  farbe feld firma gewicht größe gruppe kategorie klasse kunde land menge nachname nummer ort preis
  quelle rolle sprache stadt stand straße telefon titel typ vorname wert zeit
  adresse auteur catégorie client commentaire couleur date description groupe langue lieu montant nom
  numéro pays poids prénom prix produit quantité rôle référence sexe statut taille titre téléphone
  unité valeur ville état
  apellido autor cantidad categoría ciudad cliente clase código descripción dirección estado fecha grupo
  idioma importe lugar nombre país peso precio producto tamaño teléfono tipo título unidad valor
  autore categoria cliente città codice cognome colore data descrizione gruppo importo indirizzo lingua
  luogo nome paese prezzo prodotto quantità ruolo stato taglia titolo unità valore
  categoria cidade cor data descrição endereço estado grupo língua nome país preço produto quantidade
  tamanho unidade
  aantal adres beschrijving bedrag categorie datum eenheid groep kleur klant land naam plaats prijs
  soort stad status taal titel waarde
  adres cena data ilość imię język kategoria klient kraj kwota miasto nazwa nazwisko numer opis rodzaj
  stan tytuł wartość
  beskrivning datum enhet grupp kategori kund namn ort pris språk storlek värde
  адрес валюта вид год город группа дата имя категория класс код количество название номер описание
  статус страна сумма тип цена язык
  `
    .trim()
    .split(/\s+/),
);

const longest = 40;

/** Whether a cell is the usual name of a column: "Type", "unit_price", "Nom du client". */
export function isCommonName(text: string): boolean {
  if (text.length > longest) return false;
  const parts = text
    .normalize("NFC")
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part !== "");
  return parts.length > 0 && (words.has(parts[0]!) || words.has(parts.at(-1)!));
}
