import type { FillerPhrases } from "../filler-roles.ts";

export const norwegianFillers: FillerPhrases = {
  glue: `
    en, et, ei, den, det, de, dem, denne, dette, disse, og, eller, men, så, også, bare, kun,
    utelukkende, veldig, svært, litt, gjerne, å, at, som, er, var, være, hadde, har, ha, du, deg,
    din, ditt, dine, dere, deres, seg, man, ikke, ingen, aldri, hvis, dersom, om, fordi, for, av,
    til, fra, på, i, med, uten, ved, over, under, kan, kunne, mulig, vil, skal, skulle, ville, må,
    får, alle, alt, hver, her, der, nå, ja, nei, ok, da, ellers, i stedet, noe, noen, litt mer,
    helst, vennlig, tilfeldigvis, kanskje
  `,
  self: "jeg, meg, min, mitt, mine, vi, oss, vår, vårt, våre, som",
  modal: `
    kan du, kan dere, kunne du, kunne dere, vil du, vil dere, ville du, kan jeg, får jeg, kan vi,
    kan man, kan noen, er det mulig, ville det være mulig, har du mulighet, du kan, kan de,
    kunne noen
  `,
  please: `
    vær så snill, vær så snill og, vennligst, vær vennlig å, vær snill, er du snill, takk,
    om mulig, hvis mulig, hvis du har tid, forresten
  `,
  ask: `
    fortell, fortell meg, fortelle meg, fortelle oss, si, si meg, si meg om, forklar, forklar meg,
    forklare, forklare meg, forklar for meg, forklare for meg, vis meg, vise meg, gi meg,
    hjelp meg, hjelpe meg, hjelpe oss, hjelpe meg å forstå, beskriv, beskrive, tydeliggjør,
    minn meg på, la meg få vite, vet du, vet dere, vet noen, jeg lurer på, jeg lurte på, lurer på,
    jeg vil vite, jeg vil gjerne vite, jeg ville vite, jeg skulle gjerne visst,
    jeg vil gjerne spørre, jeg er nysgjerrig på, jeg har et spørsmål, jeg har spørsmål,
    et spørsmål, kjapt spørsmål, et kort spørsmål, kort spørsmål, mitt spørsmål er,
    spørsmålet mitt er, mitt spørsmål, spørsmålet er
  `,
  learn: "vite, lære, spørre, forstå, finne ut, finne, få vite, si, kjenne til, vite mer",
  after: "om, at, meg, oss, mer, hvorvidt, takk",
  greeting: `
    hei, heisann, hallo, god morgen, god kveld, god dag, goddag, hei der, hei alle, hei igjen,
    kjære, hvordan går det, hvordan har du det, jeg håper, håper, beklager, unnskyld, unnskyld meg,
    unnskyld at, spørsmål, morn
  `,
  closing: `
    takk, tusen takk, mange takk, takk skal du ha, takk på forhånd, på forhånd takk,
    hjertelig takk, takknemlig, jeg setter pris på, setter pris på, hilsen, med vennlig hilsen,
    vennlig hilsen, beste hilsen, mvh, ha det, ha det bra, ha en fin dag, ha en god dag, vi snakkes
  `,
  courtesy: `
    på forhånd, forhånd, forstyrre, forstyrrer, forstyrrelsen, tid, tiden, hjelp, hjelpen,
    tålmodighet, vennlig, går, bra, dag, dagen, alle sammen, teamet, igjen, assistent, melding,
    svar, dumt
  `,
  verb: `
    svar, svare, svarer, besvar, besvare, skriv, skrive, formater, formatere, gi, presenter,
    presentere, vis, vise, hold, holde, bruk, bruke, list, list opp, lag, lage, begrens, unngå,
    siter, sitere, oppgi, nevn, inkluder, vær, strukturer, formuler, legg til, baser, søk, se, les,
    sjekk, finn på, finn ikke på, finne på, gjett, si, tenk, snakk, oversett, oppsummer, lever
  `,
  answer: `
    svar, svaret, svarene, svaret ditt, forklaring, forklaringen, resultat, resultatet, påstand,
    påstander, spørsmålet, følgende spørsmål
  `,
  adverb: `
    kort, kortfattet, kort og konsist, konsist, i korte trekk, kort fortalt, i detalj, detaljert,
    utfyllende, utførlig, steg for steg, trinn for trinn, punkt for punkt, punktvis, med enkle ord,
    i enkle ordelag, på en enkel måte, på enkelt norsk, med egne ord, med få ord, i punktform,
    i listeform, i tabellform, i kulepunkter, som en liste, som liste, som en punktliste,
    som punktliste, som en tabell, som tabell, i form av en liste, i form av en punktliste,
    i form av en tabell, med eksempler, med kilder, med kildehenvisning, som om jag var fem år,
    som om jeg var fem år, som til et barn, ordrett, så kort som mulig
  `,
  manner: `
    korte, kortere, konsis, kortfattede, detaljerte, utfyllende, punktliste, punktlister,
    kulepunkt, kulepunkter, punkter, nummerert liste, enkle ord, steg, trinn, fagspråk, sjargong,
    finn ikke på, finn på, finne på, ikke vet, vet ikke, ikke sikker, ikke er sikker, hallusiner,
    spekuler, ærlig, allmennkunnskap, ja eller nei, formell tone, vennlig tone, høflig,
    kildehenvisning*, sidetall, sidenummer
  `,
  form: `
    liste, lister, tabell, tabeller, format, form, overskrift, overskrifter, fet, kursiv, norsk,
    bokmål, nynorsk, engelsk, tysk, fransk, spansk, svensk, dansk, finsk, arabisk, kinesisk,
    russisk, språk, stil, tone, enkel, enkelt, enkle, tydelig, klart, nøyaktig, fullstendig, lang,
    langt, linje, linjer, punkt, eksempel, eksempler, kilde, kilder, kildene, sitat, sitater,
    henvisning, henvisninger, avsnitt, side, sider, formelt, uformelt, nummerert, strukturert,
    maks, nybegynner, barn, detaljer, fakta, rekkefølge, sikker, kildene dine
  `,
  unit: "setning, setninger, ord, avsnitt, tegn, linjer, punkter, kulepunkter",
  amount: `
    en, ett, et, to, tre, fire, fem, seks, sju, syv, åtte, ni, ti, femti, hundre, noen, noen få,
    et par, maks, maksimalt, høyst, minst, ikke mer enn, mindre enn, mer enn, omtrent, cirka,
    eller, til, eneste, korte, enkle
  `,
  lead: "i, som, på, med, uten, innen, ved, under",
  relation: `
    basert på, ut fra, ifølge, i følge, i henhold til, med utgangspunkt i, på grunnlag av,
    på bakgrunn av, ved hjelp av, fra, med hensyn til, med støtte i
  `,
  source: `
    dokument, dokumentet, dokumenter, dokumentene, fil, filen, filer, filene, kunnskapsbase,
    kunnskapsbasen, vedlegg, vedlegget, vedleggene, konteksten, kilde, kilder, kildene, pdf,
    pdf en, arbeidsområdet, underlaget
  `,
  matter: `
    tekst, teksten, tekster, tekstene, materiale, materialet, innhold, innholdet, data,
    informasjon, informasjonen, dokumentasjon, dokumentasjonen, sidene, artikkelen, databasen
  `,
  given: `
    opplastet, opplastede, vedlagt, vedlagte, oppgitt, oppgitte, gitt, gitte, ovenstående,
    nedenstående, følgende, tilgjengelig*, delte, som jeg har lastet opp, jeg har lastet opp, over,
    ovenfor, nedenfor, du har, angitte
  `,
  purpose: `
    forbereder, forberede, skriver, skrive, arbeider, arbeider med, jobber, jobber med, studerer,
    studere, forsker, leter, søker, planlegger, holder på, lager, holder, hjelp, litt hjelp,
    trenger, trenger hjelp, kunne trenge, prøver, interessert, ny, nye, lærer, sette pris på
  `,
  setting: `
    foredrag, presentasjon, tale, forelesning, kort, liten, lite, essay, stil, artikkel, rapport,
    avhandling, oppgave, masteroppgave, lekse, lekser, prosjekt, eksamen, prøve, kurs, time,
    seminar, workshop, opplæring, møte, intervju, kollega, kolleger, kollegaer, kollegene, team,
    sjef, kunde, kunder, venner, familie, barn, student, elev, elever, lærer, forsker, journalist,
    ansatt, medarbeider, praktikant, nybegynner, skole, skolen, universitetet, arbeid, jobb,
    jobben, kontor, firma, bedrift, avdeling, tema, uke, neste, i morgen, i dag, måned, akkurat nå,
    mandag, tirsdag, onsdag, torsdag, fredag, blogg
  `,
  placeholder: "noen andre, hvem som helst, hva mer, hva annet, hvem andre",
  asking: "hvem, hva, hvilken, hvilket, hvilke, når, hvorfor, hvordan, hvor, hvor mange, hvor mye",
  mention: "ordet, ord, av, betyr, sier man, begrepet, på",
};
