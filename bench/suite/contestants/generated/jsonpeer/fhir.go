package jsonpeer

// FhirDocument is the type of the document synthea_fhir.
//
//easyjson:json
type FhirDocument struct {
	ResourceType string          `json:"resourceType"`
	Type         string          `json:"type"`
	Entry        []fhirEntryItem `json:"entry"`
}

type fhirEntryItem struct {
	FullUrl  string       `json:"fullUrl"`
	Resource fhirResource `json:"resource"`
	Request  fhirRequest  `json:"request"`
}

type fhirResource struct {
	ResourceType              string                      `json:"resourceType"`
	ID                        string                      `json:"id"`
	Text                      *fhirText                   `json:"text,omitempty"`
	Extension                 []fhirExtensionItem         `json:"extension,omitempty"`
	Identifier                []fhirIdentifierItem        `json:"identifier,omitempty"`
	Name                      any                         `json:"name,omitempty"`
	Telecom                   []fhirTelecomItem           `json:"telecom,omitempty"`
	Gender                    *string                     `json:"gender,omitempty"`
	BirthDate                 *string                     `json:"birthDate,omitempty"`
	DeceasedDateTime          *string                     `json:"deceasedDateTime,omitempty"`
	Address                   []fhirAddres                `json:"address,omitempty"`
	MaritalStatus             *fhirType                   `json:"maritalStatus,omitempty"`
	MultipleBirthBoolean      *bool                       `json:"multipleBirthBoolean,omitempty"`
	Communication             []fhirCommunicationItem     `json:"communication,omitempty"`
	Active                    *bool                       `json:"active,omitempty"`
	Type                      any                         `json:"type,omitempty"`
	Status                    *string                     `json:"status,omitempty"`
	Class                     *fhirClass                  `json:"class,omitempty"`
	Subject                   *fhirSubject                `json:"subject,omitempty"`
	Participant               []fhirParticipantItem       `json:"participant,omitempty"`
	Period                    *fhirPeriod                 `json:"period,omitempty"`
	ServiceProvider           *fhirIndividual             `json:"serviceProvider,omitempty"`
	ClinicalStatus            *fhirClinicalStatus         `json:"clinicalStatus,omitempty"`
	VerificationStatus        *fhirClinicalStatus         `json:"verificationStatus,omitempty"`
	Code                      *fhirType                   `json:"code,omitempty"`
	Encounter                 *fhirEncounter              `json:"encounter,omitempty"`
	OnsetDateTime             *string                     `json:"onsetDateTime,omitempty"`
	RecordedDate              *string                     `json:"recordedDate,omitempty"`
	Use                       *string                     `json:"use,omitempty"`
	Patient                   *fhirSubject                `json:"patient,omitempty"`
	BillablePeriod            *fhirBillablePeriod         `json:"billablePeriod,omitempty"`
	Created                   *string                     `json:"created,omitempty"`
	Provider                  *fhirSubject                `json:"provider,omitempty"`
	Priority                  *fhirClinicalStatus         `json:"priority,omitempty"`
	Diagnosis                 []fhirDiagnosi              `json:"diagnosis,omitempty"`
	Insurance                 []fhirInsuranceItem         `json:"insurance,omitempty"`
	Item                      []fhirItemItem              `json:"item,omitempty"`
	Total                     any                         `json:"total,omitempty"`
	Contained                 []fhirContainedItem         `json:"contained,omitempty"`
	Insurer                   *fhirPayorItem              `json:"insurer,omitempty"`
	Referral                  *fhirEncounter              `json:"referral,omitempty"`
	Claim                     *fhirEncounter              `json:"claim,omitempty"`
	Outcome                   *string                     `json:"outcome,omitempty"`
	CareTeam                  []fhirCareTeamItem          `json:"careTeam,omitempty"`
	Payment                   *fhirPayment                `json:"payment,omitempty"`
	ReasonCode                []fhirReasonCodeItem        `json:"reasonCode,omitempty"`
	ManagingOrganization      []fhirIndividual            `json:"managingOrganization,omitempty"`
	Intent                    *string                     `json:"intent,omitempty"`
	Category                  []fhirReasonCodeItem        `json:"category,omitempty"`
	Addresses                 []fhirEncounter             `json:"addresses,omitempty"`
	Activity                  []fhirActivityItem          `json:"activity,omitempty"`
	MedicationCodeableConcept *fhirType                   `json:"medicationCodeableConcept,omitempty"`
	AuthoredOn                *string                     `json:"authoredOn,omitempty"`
	Requester                 *fhirIndividual             `json:"requester,omitempty"`
	ReasonReference           []fhirSubject               `json:"reasonReference,omitempty"`
	Prescription              *fhirEncounter              `json:"prescription,omitempty"`
	LifecycleStatus           *string                     `json:"lifecycleStatus,omitempty"`
	AchievementStatus         *fhirClinicalStatus         `json:"achievementStatus,omitempty"`
	Description               *fhirType2                  `json:"description,omitempty"`
	Goal                      []fhirEncounter             `json:"goal,omitempty"`
	AbatementDateTime         *string                     `json:"abatementDateTime,omitempty"`
	EffectiveDateTime         *string                     `json:"effectiveDateTime,omitempty"`
	Issued                    *string                     `json:"issued,omitempty"`
	ValueQuantity             *fhirValueQuantity          `json:"valueQuantity,omitempty"`
	PerformedPeriod           *fhirBillablePeriod         `json:"performedPeriod,omitempty"`
	DosageInstruction         []fhirDosageInstructionItem `json:"dosageInstruction,omitempty"`
	Started                   *string                     `json:"started,omitempty"`
	NumberOfSeries            *int64                      `json:"numberOfSeries,omitempty"`
	NumberOfInstances         *int64                      `json:"numberOfInstances,omitempty"`
	Series                    []fhirSerie                 `json:"series,omitempty"`
	Procedure                 []fhirProcedureItem         `json:"procedure,omitempty"`
	VaccineCode               *fhirType                   `json:"vaccineCode,omitempty"`
	OccurrenceDateTime        *string                     `json:"occurrenceDateTime,omitempty"`
	PrimarySource             *bool                       `json:"primarySource,omitempty"`
	SupportingInfo            []fhirSupportingInfoItem    `json:"supportingInfo,omitempty"`
	Component                 []fhirComponentItem         `json:"component,omitempty"`
	ValueCodeableConcept      *fhirType                   `json:"valueCodeableConcept,omitempty"`
	Result                    []fhirIndividual            `json:"result,omitempty"`
}

type fhirText struct {
	Status string `json:"status"`
	Div    string `json:"div"`
}

type fhirExtensionItem struct {
	URL          string               `json:"url"`
	Extension    []fhirExtensionItem2 `json:"extension,omitempty"`
	ValueString  *string              `json:"valueString,omitempty"`
	ValueCode    *string              `json:"valueCode,omitempty"`
	ValueAddress *fhirValueAddress    `json:"valueAddress,omitempty"`
	ValueDecimal *float64             `json:"valueDecimal,omitempty"`
}

type fhirExtensionItem2 struct {
	URL         string           `json:"url"`
	ValueCoding *fhirValueCoding `json:"valueCoding,omitempty"`
	ValueString *string          `json:"valueString,omitempty"`
}

type fhirValueCoding struct {
	System  string `json:"system"`
	Code    string `json:"code"`
	Display string `json:"display"`
}

type fhirValueAddress struct {
	City    string `json:"city"`
	State   string `json:"state"`
	Country string `json:"country"`
}

type fhirIdentifierItem struct {
	System string    `json:"system"`
	Value  string    `json:"value"`
	Type   *fhirType `json:"type,omitempty"`
	Use    *string   `json:"use,omitempty"`
}

type fhirType struct {
	Coding []fhirValueCoding `json:"coding"`
	Text   string            `json:"text"`
}

type fhirTelecomItem struct {
	System string  `json:"system"`
	Value  string  `json:"value"`
	Use    *string `json:"use,omitempty"`
}

type fhirAddres struct {
	Extension  []fhirExtensionItem3 `json:"extension,omitempty"`
	Line       []string             `json:"line"`
	City       string               `json:"city"`
	State      string               `json:"state"`
	PostalCode string               `json:"postalCode"`
	Country    string               `json:"country"`
}

type fhirExtensionItem3 struct {
	URL       string               `json:"url"`
	Extension []fhirExtensionItem4 `json:"extension"`
}

type fhirExtensionItem4 struct {
	URL          string  `json:"url"`
	ValueDecimal float64 `json:"valueDecimal"`
}

type fhirCommunicationItem struct {
	Language fhirType `json:"language"`
}

type fhirClass struct {
	System string `json:"system"`
	Code   string `json:"code"`
}

type fhirSubject struct {
	Reference string  `json:"reference"`
	Display   *string `json:"display,omitempty"`
}

type fhirParticipantItem struct {
	Individual *fhirIndividual `json:"individual,omitempty"`
	Role       []fhirType      `json:"role,omitempty"`
	Member     *fhirIndividual `json:"member,omitempty"`
}

type fhirIndividual struct {
	Reference string `json:"reference"`
	Display   string `json:"display"`
}

type fhirPeriod struct {
	Start string  `json:"start"`
	End   *string `json:"end,omitempty"`
}

type fhirClinicalStatus struct {
	Coding []fhirClass `json:"coding"`
}

type fhirEncounter struct {
	Reference string `json:"reference"`
}

type fhirBillablePeriod struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type fhirDiagnosi struct {
	Sequence           int64                `json:"sequence"`
	DiagnosisReference fhirEncounter        `json:"diagnosisReference"`
	Type               []fhirClinicalStatus `json:"type,omitempty"`
}

type fhirInsuranceItem struct {
	Sequence *int64       `json:"sequence,omitempty"`
	Focal    bool         `json:"focal"`
	Coverage fhirCoverage `json:"coverage"`
}

type fhirCoverage struct {
	Display   string  `json:"display"`
	Reference *string `json:"reference,omitempty"`
}

type fhirItemItem struct {
	Sequence                int64                  `json:"sequence"`
	ProductOrService        fhirType               `json:"productOrService"`
	Encounter               []fhirEncounter        `json:"encounter,omitempty"`
	DiagnosisSequence       []int64                `json:"diagnosisSequence,omitempty"`
	Category                *fhirCategory          `json:"category,omitempty"`
	ServicedPeriod          *fhirBillablePeriod    `json:"servicedPeriod,omitempty"`
	LocationCodeableConcept *fhirCategory          `json:"locationCodeableConcept,omitempty"`
	ProcedureSequence       []int64                `json:"procedureSequence,omitempty"`
	Net                     *fhirNet               `json:"net,omitempty"`
	Adjudication            []fhirAdjudicationItem `json:"adjudication,omitempty"`
	InformationSequence     []int64                `json:"informationSequence,omitempty"`
}

type fhirCategory struct {
	Coding []fhirValueCoding `json:"coding"`
}

type fhirNet struct {
	Value    float64 `json:"value"`
	Currency string  `json:"currency"`
}

type fhirAdjudicationItem struct {
	Category fhirCategory `json:"category"`
	Amount   *fhirNet     `json:"amount,omitempty"`
}

type fhirContainedItem struct {
	ResourceType string          `json:"resourceType"`
	ID           string          `json:"id"`
	Status       string          `json:"status"`
	Intent       *string         `json:"intent,omitempty"`
	Subject      *fhirEncounter  `json:"subject,omitempty"`
	Requester    *fhirEncounter  `json:"requester,omitempty"`
	Performer    []fhirEncounter `json:"performer,omitempty"`
	Type         *fhirType2      `json:"type,omitempty"`
	Beneficiary  *fhirEncounter  `json:"beneficiary,omitempty"`
	Payor        []fhirPayorItem `json:"payor,omitempty"`
}

type fhirType2 struct {
	Text string `json:"text"`
}

type fhirPayorItem struct {
	Display string `json:"display"`
}

type fhirCareTeamItem struct {
	Sequence  *int64         `json:"sequence,omitempty"`
	Provider  *fhirEncounter `json:"provider,omitempty"`
	Role      *fhirCategory  `json:"role,omitempty"`
	Reference *string        `json:"reference,omitempty"`
}

type fhirPayment struct {
	Amount fhirNet `json:"amount"`
}

type fhirReasonCodeItem struct {
	Coding []fhirValueCoding `json:"coding"`
	Text   *string           `json:"text,omitempty"`
}

type fhirActivityItem struct {
	Detail fhirDetail `json:"detail"`
}

type fhirDetail struct {
	Code     fhirType      `json:"code"`
	Status   string        `json:"status"`
	Location fhirPayorItem `json:"location"`
}

type fhirValueQuantity struct {
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	System string  `json:"system"`
	Code   string  `json:"code"`
}

type fhirDosageInstructionItem struct {
	Sequence        int64                 `json:"sequence"`
	Timing          *fhirTiming           `json:"timing,omitempty"`
	AsNeededBoolean bool                  `json:"asNeededBoolean"`
	DoseAndRate     []fhirDoseAndRateItem `json:"doseAndRate,omitempty"`
}

type fhirTiming struct {
	Repeat fhirRepeat `json:"repeat"`
}

type fhirRepeat struct {
	Frequency  int64   `json:"frequency"`
	Period     float64 `json:"period"`
	PeriodUnit string  `json:"periodUnit"`
}

type fhirDoseAndRateItem struct {
	Type         fhirCategory     `json:"type"`
	DoseQuantity fhirDoseQuantity `json:"doseQuantity"`
}

type fhirDoseQuantity struct {
	Value float64 `json:"value"`
}

type fhirSerie struct {
	Uid               string             `json:"uid"`
	Number            int64              `json:"number"`
	Modality          fhirValueCoding    `json:"modality"`
	NumberOfInstances int64              `json:"numberOfInstances"`
	BodySite          fhirValueCoding    `json:"bodySite"`
	Started           string             `json:"started"`
	Instance          []fhirInstanceItem `json:"instance"`
}

type fhirInstanceItem struct {
	Uid      string    `json:"uid"`
	SopClass fhirClass `json:"sopClass"`
	Number   int64     `json:"number"`
	Title    string    `json:"title"`
}

type fhirProcedureItem struct {
	Sequence           int64         `json:"sequence"`
	ProcedureReference fhirEncounter `json:"procedureReference"`
}

type fhirSupportingInfoItem struct {
	Sequence       int64              `json:"sequence"`
	Category       fhirClinicalStatus `json:"category"`
	ValueReference fhirEncounter      `json:"valueReference"`
}

type fhirComponentItem struct {
	Code          fhirType          `json:"code"`
	ValueQuantity fhirValueQuantity `json:"valueQuantity"`
}

type fhirRequest struct {
	Method string `json:"method"`
	URL    string `json:"url"`
}
