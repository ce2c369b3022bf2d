/** Marked so that scripts of pages leave out the lists that they do not use. */
/* @__NO_SIDE_EFFECTS__ */
const words = (list: string) => new Set(list.split(' '));

export const AUXILIARIES = words(
  'is are was were has have had can could may might must should shall did does do will would',
);
export const PREPOSITIONS = words(
  'of to in on at for from with by as under over against off out into before after during without near since until ' +
    'through between among across behind beside along inside outside within below towards upon despite',
);
/** Verbs whose past tense does not end in -ed. */
export const PAST_TENSES = words(
  'became began broke brought built burst bought came caught chose cut drew drove fell felt flew fought found gave got ' +
    'grew held hit kept knew laid led left lost made met paid ran rose said sank saw sent set shot sold spent spoke ' +
    'stole stood struck threw told took went won wrote',
);
/** Verbs in -ed that have no passive: what they are said of did it. */
export const INTRANSITIVE = words(
  'agreed appeared apologized arrived attended burned collapsed confessed cooperated cracked crashed departed died disappeared ' +
    'drowned emerged ended erupted escaped existed exploded failed happened landed lasted leaked lied lived melted moved occurred ' +
    'participated resigned retired returned started succeeded surrendered survived testified vanished voted worked',
);
/** Participles that need `was` before them and do not end in -ed. */
export const PASSIVE = words(
  'born broken built brought caught caused chosen cut driven drawn flown found forbidden frozen given held hidden hit kept known ' +
    'laid left lost made paid proven read rebuilt seen sent set shot shown sold spent stolen struck sunk taken taught thrown told torn won woven written',
);
/** Participles that name a state that lasts. */
export const STATES = words(
  'affiliated armed based biased certified closed connected contaminated dedicated disputed employed encrypted haunted ' +
    'infected inhabited insured interested involved licensed located married occupied qualified related retired ' +
    'supposed vaccinated',
);
export const ADJECTIVES = words(
  'able absent accurate active alive ancient authentic available awake aware bad big black blue bright broken calm ' +
    'certain cheap clean clear close cold common complete correct corrupt dangerous dark dead deaf deep deliberate dirty ' +
    'drunk dry due early easy empty exact fair fake false fast female final fine firm fit flat foreign free fresh full ' +
    'genuine good great green guilty happy hard healthy heavy high hollow honest hot ill innocent intact late lawful legal ' +
    'legitimate light local lonely long loose loud low main major male mature minor modern mutual naked narrow necessary ' +
    'compulsory extinct imaginary mandatory missing new obvious opposite similar temporary voluntary offline old online open ordinary original outdoors overdue overweight pregnant present private proper pure ' +
    'quick quiet ready real recent red remote responsible rich right risky rotten rough round rusty sad safe same secret ' +
    'secure senior severe sharp sick single slow small smart smooth sober soft solid sound sour steady still straight strong sudden sure sweet tall thick ' +
    'thin tight tired tough true ugly unique unknown unsafe urgent vacant valid visible warm weak wet white wide wild wise ' +
    'worse wrong young',
);
/** Verbs in the third person that a value or nothing may follow. */
export const THIRD_PERSON = words(
  'beacons belongs causes characterizes communicates compromises consists contains costs covers delivers depends employs ' +
    'exfiltrates exists faces flies floats follows has holds impersonates includes indicates investigates lasts leads lies lives ' +
    'matters means measures mitigates needs opposes originates owns produces remediates requires runs says sells shares shows speaks spans ' +
    'supports uses wants weighs works',
);
/** Things that can be counted: they stand with an article. */
export const NOUNS = words(
  'accident aircraft airport algorithm attack avalanche bank barrier battle bomb book box breach bridge brother building bullet car ' +
    'castle church city collapse collision company contract copy crack crash crew crime dam dataset deal defect derailment ' +
    'disaster document drug earthquake election engine error event experiment explosion eyewitness factory failure fault fire flaw ' +
    'flight flood flyer forgery fort fossil fraud girder glider hack hoax hospital hotel house hurricane incident island ' +
    'lake law leak letter lighthouse machine manuscript map medicine meeting missile mistake mountain murder museum ' +
    'outbreak overload painting palace pandemic patent photo photograph picture pier pipeline plane plant prison program ' +
    'protest railway record reactor report river road rocket ruin school scandal ship shipwreck shooting signature sister ' +
    'speech statue steamer storm strike study suspect temple theory tower tornado train treaty tree trial tunnel vaccine valve ' +
    'vessel victim video virus volcano vote war weapon well witness wreck',
);
/** What a thing has and is not. */
export const FAULTS = words('breach bug crack defect error fault flaw leak');
/** Nouns that stand before the name of what they call: `the freighter Maren`. */
export const TITLES = words(
  'aircraft barge ferry freighter frigate schooner ship steamer submarine tanker trawler',
);
/** Words that begin the name of a thing and are no name themselves: `the first powered flight`. */
export const FIRST_WORDS = words(
  'big central east eastern final first great last left lower main new north northern old second small south southern third upper west western',
);
/** Nouns about what is over: their answer was so. */
export const PAST_NOUNS = words('cause causes culprit killer motive outcome perpetrator trigger winner');

/** Adjectives that `of` follows. */
export const OF_ADJECTIVES = words(
  'afraid capable certain east free full guilty independent north proud short south sure tired typical west worthy',
);
/** Verbs in the third person that only their preposition makes one: `reports: 3` counts reports. */
export const THIRD_PERSON_TO = words(
  'applies begins borders comes corresponds differs ends extends flows goes refers relates reports responds results rises starts ' +
    'stems suffers',
);
/** What somebody or something is of another: `is a member of`. */
export const ROLES = words(
  'adviser agent ally apprentice aunt branch copy example form kind parent sign symbol symptom translation uncle version brother child citizen client colleague cousin critic daughter descendant editor ' +
    'employee employer enemy fan follower friend graduate grandson granddaughter member native neighbor nephew niece ' +
    'opponent partner patient player professor relative representative resident rival sister soldier son student subsidiary ' +
    'successor supporter teacher tenant type variant victim witness worker',
);
/** The same where there is one of them: `is the capital of`. */
export const SOLE_ROLES = words(
  'architect author birthplace boss builder capital captain cause ceo cfo chair chairman chairwoman coach composer ' +
    'creator cto culprit designer director discoverer father founder governor head heir husband inventor killer king ' +
    'leader maker manager manufacturer mayor minister mother motive origin owner painter perpetrator president publisher ' +
    'queen result seat source spokesman spokesperson spokeswoman trigger widow wife winner writer',
);
/** Past participles of what people do to many, of whom a number says how many. */
export const COUNTED = words(
  'affected arrested dead detained displaced drowned evacuated hospitalized infected injured killed missing rescued tested vaccinated wounded',
);
/** Participles that need `has` before them: nobody did it. */
export const RISEN = words('become come fallen gone grown risen shrunk');
/** Participles in -ed of what changes by a number. */
export const CHANGED = words('changed declined decreased dropped fell grew improved increased rose shrank');
/** Participles that a name follows: `is called Arno`. */
export const CALLED = words('called dubbed named nicknamed titled');
/** Participles in -ed that nothing follows but a preposition. */
export const ALONE = words('born dated estimated intended known supposed');
/** Plurals that do not end in -s. */
export const IRREGULAR_PLURALS = words(
  'bacteria cattle children criteria feet firemen fishermen geese men mice oxen people phenomena police policemen teeth ' +
    'women workmen',
);
/** Words in -s that are one thing, besides those in -ss, -us and -is. */
export const SINGULAR_IN_S = words(
  'alias atlas athletics bias canvas chaos christmas cosmos diabetes economics ethics gas genetics headquarters lens ' +
    'linguistics mathematics means measles molasses mumps news physics politics rabies series species',
);
/** Words that are the same of one and of many; a number before them tells. */
export const SAME_PLURALS = words('aircraft fish series sheep species');
/** Plurals that are not names, so that a subject of this one word is many, and stands in small letters. */
export const COMMON_PLURALS = words(
  'adults animals bees birds cars cats children cows doctors dogs drivers eggs elephants elections employees employers ' +
    'farmers girls boys immigrants insects journalists machines masks men migrants nurses officials parents patients ' +
    'penguins people phones pigs police prices pupils refugees rents residents robots scientists sharks shops soldiers ' +
    'students sanctions tariffs taxes teachers tourists trees twins vaccines vehicles victims villagers voters wages ' +
    'whales witnesses wolves women workers',
);
/** Words that make a clause of a name, which no article goes before. */
export const QUESTION = /^(who|whom|whose|what|which|when|where|why|how|that|if|not|than)$/;
/** Words in -ed and -en that are not participles. */
export const NOT_PARTICIPLES = words(
  'bed breed children crown feed garden kitchen men need oxygen red seed speed town weed women',
);
/** Adjectives that tell one number from another of its kind, as scopes: `direct`, `gross`. */
export const SCOPE_ADJECTIVES = words(
  'adult annual civilian cumulative daily direct excess final global gross indirect initial local military monthly ' +
    'national net nominal official overall preliminary provisional public private regional total unofficial weekly yearly',
);
/** Participles of what the noun before them did: `bank owned`, unlike `hospital overwhelmed`. */
export const DONE_BY = words(
  'approved backed based built caused certified controlled funded induced issued led made managed operated organized ' +
    'owned paid powered produced proven published related run sponsored supported',
);
/** Verbs that something does by itself, or that somebody does to it. */
export const TRANSITIVE_TOO = words(
  'burned cracked crashed ended exploded leaked melted moved retired returned started',
);
