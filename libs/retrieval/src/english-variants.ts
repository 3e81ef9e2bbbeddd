import { stem } from "./language.ts";

/*
 * Forms of one word that no stemmer joins. Forms that are more often a word of their own ("found",
 * "left", "rose", "lives") are missing.
 */
const irregular = `
begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|deal dealt|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|feed fed|fight fought|flee fled
fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given|go went gone|grow grew grown|hear heard|hide hid hidden|hold held|keep kept|know knew known
lend lent|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden|run ran|say said|seek sought|sell sold|send sent|shake shook shaken|shine shone|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sleep slept|slide slid|speak spoken|spend spent|steal stole stolen|stick stuck|strike struck|swim swam swum|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
understand understood|wake woke woken|wear wore worn|weep wept|win won|withdraw withdrew withdrawn|write wrote written
child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|knife knives|wife wives|shelf shelves|half halves|loaf loaves|thief thieves|wolf wolves|calf calves
analysis analyses|crisis crises|hypothesis hypotheses|criterion criteria|phenomenon phenomena|matrix matrices|nucleus nuclei|radius radii|bacterium bacteria|curriculum curricula|spectrum spectra`;

/** British and American spellings that no rule covers. */
const spellings = `
colour color|honour honor|favour favor|favourite favorite|labour labor|harbour harbor|neighbour neighbor|neighbourhood neighborhood|behaviour behavior|vapour vapor|humour humor|rumour rumor|armour armor|odour odor
flavour flavor|endeavour endeavor|vigour vigor|tumour tumor|parlour parlor|saviour savior|centre center|metre meter|litre liter|theatre theater|fibre fiber|kilometre kilometer|centimetre centimeter
millimetre millimeter|calibre caliber|manoeuvre maneuver|defence defense|licence license|offence offense|pretence pretense|practise practice|catalogue catalog|dialogue dialog|analogue analog|counsellor counselor
jewellery jewelry|skilful skillful|tyre tire|kerb curb|grey gray|plough plow|aluminium aluminum|programme program|pyjamas pajamas|mould mold|moustache mustache|sceptic skeptic|sulphur sulfur|whisky whiskey
aeroplane airplane|aerofoil airfoil|artefact artifact|ageing aging|judgement judgment|cosy cozy|doughnut donut|yoghurt yogurt|enquiry inquiry|disc disk|mum mom
anaemia anemia|anaesthetic anesthetic|anaesthesia anesthesia|paediatric pediatric|orthopaedic orthopedic|oestrogen estrogen|foetus fetus|haemorrhage hemorrhage|leukaemia leukemia|diarrhoea diarrhea`;

let groups: Map<string, string[]> | undefined;
function readGroups(): Map<string, string[]> {
  const read = new Map<string, string[]>();
  for (const group of `${irregular}|${spellings}`.split(/[|\n]/).filter(Boolean)) {
    const stems = [...new Set(group.split(" ").map((word) => stem(word, "en")))];
    for (const each of stems) read.set(each, stems);
  }
  return read;
}

/** "organise" and "organize", "analyse" and "analyze". */
const withS = /^(\p{L}{2,}[iy])([sz])(e|ed|es|ing|ers?|ations?)$/u;

/**
 * Stems of an English word's other spelling and irregular forms ("tyres" for "tires", "freeze" for
 * "frozen"). May contain its own stem, and words that don't exist, which no text has.
 */
export function englishVariants(word: string): string[] {
  groups ??= readGroups();
  const other = withS.exec(word);
  const respelled =
    other === null ? [] : [stem(`${other[1]}${other[2] === "s" ? "z" : "s"}${other[3]}`, "en")];
  return [...respelled, ...(groups.get(stem(word, "en")) ?? [])];
}
