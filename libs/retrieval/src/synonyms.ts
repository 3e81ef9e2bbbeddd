/*
 * Interchangeable everyday English words. Not a thesaurus: general verbs, and nouns from work, home
 * and trade. Stems of the English stemmer, so that one entry covers all inflections.
 */
const groups = `
finish complet end conclud|begin start commenc launch|buy purchas acquir|sell sale sold|allow permit|forbid forbidden prohibit ban|enabl activ switch turn|disabl deactiv
win winner won victori|build built construct erect|found founder establish creat|car vehicl automobil|lorri truck|bicycl bike|fast quick rapid speed|help assist support
get receiv obtain|worker employe staff personnel|boss manag head chief lead leader director|pay salari wage earn|holiday vacat leav|ill sick sickness|doctor physician|child children kid
pupil student|price cost fee charg fare|fine penalti|repair fix mend|replac exchang substitut|phone telephon|photo photograph pictur|die death dead|resid inhabit habitat|eat feed fed food meal diet
rent leas hire|hous home|street road|shop store|firm compani busi enterpris|trip journey travel|rule regul|meet assembl|approv accept agre|reject refus declin deni|need requir necessari
film movi|weigh weight heavi|height high tall|length long|depth deep|width wide|age old|author write writer wrote written|own belong owner|stop ceas|close shut|clean wash|store keep kept preserv
dispos discard|remov delet|deliv deliveri ship|teach instruct taught|test check inspect examin|damag harm destroy|danger risk hazard|error fault failur|postpon delay|increas rais rise rose|reduc lower decreas
regist registr enrol|conduct conductor|design architect plan|invent inventor develop|discov find|annual year|daili day|suppli provid|larg biggest big|announc declar|choos chose select|elect vote
kill slain|burn fire|guest visitor|money fund|gift donat|job occup profession|wife husband spous|contract agreement|locat situat|border boundari|rate percentag percent share|maximum limit most|minimum least`;

/** Too loose to search with, but fine among the few sentences that may be quoted. */
const looseGroups = "phone telephon tel|fall fell fallen declin drop reduc lower decreas";

function readGroups(written: string): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const group of written.split(/[|\n]/)) {
    const words = group.trim().split(" ");
    for (const word of words)
      members.set(word, [...(members.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return members;
}
const members = readGroups(groups);
const looseMembers = readGroups(`${groups}|${looseGroups}`);

/**
 * Stems of synonyms of `forms`, excluding the forms themselves. English only. `isLoose`: also words
 * that mean the same only in context.
 */
export function findSynonyms(forms: readonly string[], isLoose = false): Set<string> {
  const known = isLoose ? looseMembers : members;
  const found = new Set(forms.flatMap((form) => known.get(form) ?? []));
  for (const form of forms) found.delete(form);
  return found;
}
