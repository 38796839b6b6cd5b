package contestants

// The types that the documents of Go's own tree are decoded into: a field for
// each name that occurs, a pointer where a value may be null or missing. What
// easyjson needs for some of them, and for types in other files, was made by
//
//	easyjson -no_std_marshalers -pkg -output_filename json_easyjson.go .

//easyjson:json
type twitterDocument struct {
	Statuses       []twitterStatus       `json:"statuses"`
	SearchMetadata twitterSearchMetadata `json:"search_metadata"`
}

type twitterStatus struct {
	Metadata             twitterMetadata         `json:"metadata"`
	CreatedAt            string                  `json:"created_at"`
	ID                   int64                   `json:"id"`
	IDStr                string                  `json:"id_str"`
	Text                 string                  `json:"text"`
	Source               string                  `json:"source"`
	Truncated            bool                    `json:"truncated"`
	InReplyToStatusID    *int64                  `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string                 `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64                  `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string                 `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string                 `json:"in_reply_to_screen_name"`
	User                 twitterUser             `json:"user"`
	Geo                  any                     `json:"geo"`
	Coordinates          any                     `json:"coordinates"`
	Place                any                     `json:"place"`
	Contributors         any                     `json:"contributors"`
	RetweetCount         int64                   `json:"retweet_count"`
	FavoriteCount        int64                   `json:"favorite_count"`
	Entities             twitterEntities2        `json:"entities"`
	Favorited            bool                    `json:"favorited"`
	Retweeted            bool                    `json:"retweeted"`
	Lang                 string                  `json:"lang"`
	RetweetedStatus      *twitterRetweetedStatus `json:"retweeted_status,omitempty"`
	PossiblySensitive    *bool                   `json:"possibly_sensitive,omitempty"`
}

type twitterMetadata struct {
	ResultType      string `json:"result_type"`
	IsoLanguageCode string `json:"iso_language_code"`
}

type twitterUser struct {
	ID                             int64           `json:"id"`
	IDStr                          string          `json:"id_str"`
	Name                           string          `json:"name"`
	ScreenName                     string          `json:"screen_name"`
	Location                       string          `json:"location"`
	Description                    string          `json:"description"`
	URL                            *string         `json:"url"`
	Entities                       twitterEntities `json:"entities"`
	Protected                      bool            `json:"protected"`
	FollowersCount                 int64           `json:"followers_count"`
	FriendsCount                   int64           `json:"friends_count"`
	ListedCount                    int64           `json:"listed_count"`
	CreatedAt                      string          `json:"created_at"`
	FavouritesCount                int64           `json:"favourites_count"`
	UtcOffset                      *int64          `json:"utc_offset"`
	TimeZone                       *string         `json:"time_zone"`
	GeoEnabled                     bool            `json:"geo_enabled"`
	Verified                       bool            `json:"verified"`
	StatusesCount                  int64           `json:"statuses_count"`
	Lang                           string          `json:"lang"`
	ContributorsEnabled            bool            `json:"contributors_enabled"`
	IsTranslator                   bool            `json:"is_translator"`
	IsTranslationEnabled           bool            `json:"is_translation_enabled"`
	ProfileBackgroundColor         string          `json:"profile_background_color"`
	ProfileBackgroundImageURL      string          `json:"profile_background_image_url"`
	ProfileBackgroundImageURLHttps string          `json:"profile_background_image_url_https"`
	ProfileBackgroundTile          bool            `json:"profile_background_tile"`
	ProfileImageURL                string          `json:"profile_image_url"`
	ProfileImageURLHttps           string          `json:"profile_image_url_https"`
	ProfileBannerURL               *string         `json:"profile_banner_url,omitempty"`
	ProfileLinkColor               string          `json:"profile_link_color"`
	ProfileSidebarBorderColor      string          `json:"profile_sidebar_border_color"`
	ProfileSidebarFillColor        string          `json:"profile_sidebar_fill_color"`
	ProfileTextColor               string          `json:"profile_text_color"`
	ProfileUseBackgroundImage      bool            `json:"profile_use_background_image"`
	DefaultProfile                 bool            `json:"default_profile"`
	DefaultProfileImage            bool            `json:"default_profile_image"`
	Following                      bool            `json:"following"`
	FollowRequestSent              bool            `json:"follow_request_sent"`
	Notifications                  bool            `json:"notifications"`
}

type twitterEntities struct {
	Description twitterDescription  `json:"description"`
	URL         *twitterDescription `json:"url,omitempty"`
}

type twitterDescription struct {
	Urls []twitterUrl `json:"urls"`
}

type twitterUrl struct {
	URL         string  `json:"url"`
	ExpandedURL string  `json:"expanded_url"`
	DisplayURL  string  `json:"display_url"`
	Indices     []int64 `json:"indices"`
}

type twitterEntities2 struct {
	Hashtags     []twitterHashtag     `json:"hashtags"`
	Symbols      []any                `json:"symbols"`
	Urls         []twitterUrl         `json:"urls"`
	UserMentions []twitterUserMention `json:"user_mentions"`
	Media        []twitterMediaItem   `json:"media,omitempty"`
}

type twitterHashtag struct {
	Text    string  `json:"text"`
	Indices []int64 `json:"indices"`
}

type twitterUserMention struct {
	ScreenName string  `json:"screen_name"`
	Name       string  `json:"name"`
	ID         int64   `json:"id"`
	IDStr      string  `json:"id_str"`
	Indices    []int64 `json:"indices"`
}

type twitterMediaItem struct {
	ID                int64        `json:"id"`
	IDStr             string       `json:"id_str"`
	Indices           []int64      `json:"indices"`
	MediaURL          string       `json:"media_url"`
	MediaURLHttps     string       `json:"media_url_https"`
	URL               string       `json:"url"`
	DisplayURL        string       `json:"display_url"`
	ExpandedURL       string       `json:"expanded_url"`
	Type              string       `json:"type"`
	Sizes             twitterSizes `json:"sizes"`
	SourceStatusID    *int64       `json:"source_status_id,omitempty"`
	SourceStatusIDStr *string      `json:"source_status_id_str,omitempty"`
}

type twitterSizes struct {
	Medium twitterMedium `json:"medium"`
	Small  twitterMedium `json:"small"`
	Thumb  twitterMedium `json:"thumb"`
	Large  twitterMedium `json:"large"`
}

type twitterMedium struct {
	W      int64  `json:"w"`
	H      int64  `json:"h"`
	Resize string `json:"resize"`
}

type twitterRetweetedStatus struct {
	Metadata             twitterMetadata  `json:"metadata"`
	CreatedAt            string           `json:"created_at"`
	ID                   int64            `json:"id"`
	IDStr                string           `json:"id_str"`
	Text                 string           `json:"text"`
	Source               string           `json:"source"`
	Truncated            bool             `json:"truncated"`
	InReplyToStatusID    *int64           `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string          `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64           `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string          `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string          `json:"in_reply_to_screen_name"`
	User                 twitterUser      `json:"user"`
	Geo                  any              `json:"geo"`
	Coordinates          any              `json:"coordinates"`
	Place                any              `json:"place"`
	Contributors         any              `json:"contributors"`
	RetweetCount         int64            `json:"retweet_count"`
	FavoriteCount        int64            `json:"favorite_count"`
	Entities             twitterEntities2 `json:"entities"`
	Favorited            bool             `json:"favorited"`
	Retweeted            bool             `json:"retweeted"`
	PossiblySensitive    *bool            `json:"possibly_sensitive,omitempty"`
	Lang                 string           `json:"lang"`
}

type twitterSearchMetadata struct {
	CompletedIn float64 `json:"completed_in"`
	MaxID       int64   `json:"max_id"`
	MaxIDStr    string  `json:"max_id_str"`
	NextResults string  `json:"next_results"`
	Query       string  `json:"query"`
	RefreshURL  string  `json:"refresh_url"`
	Count       int64   `json:"count"`
	SinceID     int64   `json:"since_id"`
	SinceIDStr  string  `json:"since_id_str"`
}

//easyjson:json
type citmDocument struct {
	AreaNames                map[string]string    `json:"areaNames"`
	AudienceSubCategoryNames map[string]string    `json:"audienceSubCategoryNames"`
	BlockNames               citmBlockNames       `json:"blockNames"`
	Events                   map[string]citmEvent `json:"events"`
	Performances             []citmPerformance    `json:"performances"`
	SeatCategoryNames        map[string]string    `json:"seatCategoryNames"`
	SubTopicNames            map[string]string    `json:"subTopicNames"`
	SubjectNames             citmBlockNames       `json:"subjectNames"`
	TopicNames               map[string]string    `json:"topicNames"`
	TopicSubTopics           map[string][]int64   `json:"topicSubTopics"`
	VenueNames               citmVenueNames       `json:"venueNames"`
}

type citmBlockNames struct {
}

type citmEvent struct {
	Description any     `json:"description"`
	ID          int64   `json:"id"`
	Logo        *string `json:"logo"`
	Name        string  `json:"name"`
	SubTopicIds []int64 `json:"subTopicIds"`
	SubjectCode any     `json:"subjectCode"`
	Subtitle    any     `json:"subtitle"`
	TopicIds    []int64 `json:"topicIds"`
}

type citmPerformance struct {
	EventId        int64               `json:"eventId"`
	ID             int64               `json:"id"`
	Logo           *string             `json:"logo"`
	Name           any                 `json:"name"`
	Prices         []citmPrice         `json:"prices"`
	SeatCategories []citmSeatCategorie `json:"seatCategories"`
	SeatMapImage   any                 `json:"seatMapImage"`
	Start          int64               `json:"start"`
	VenueCode      string              `json:"venueCode"`
}

type citmPrice struct {
	Amount                int64 `json:"amount"`
	AudienceSubCategoryId int64 `json:"audienceSubCategoryId"`
	SeatCategoryId        int64 `json:"seatCategoryId"`
}

type citmSeatCategorie struct {
	Areas          []citmArea `json:"areas"`
	SeatCategoryId int64      `json:"seatCategoryId"`
}

type citmArea struct {
	AreaId   int64 `json:"areaId"`
	BlockIds []any `json:"blockIds"`
}

type citmVenueNames struct {
	PLEYELPLEYEL string `json:"PLEYEL_PLEYEL"`
}

type fhirDocument struct {
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

//easyjson:json
type canadaDocument struct {
	Type     string          `json:"type"`
	Features []canadaFeature `json:"features"`
}

type canadaFeature struct {
	Type       string            `json:"type"`
	Properties map[string]string `json:"properties"`
	Geometry   canadaGeometry    `json:"geometry"`
}

type canadaGeometry struct {
	Type        string         `json:"type"`
	Coordinates [][][2]float64 `json:"coordinates"`
}

type sourceDocument struct {
	Tree     *sourceNode `json:"tree"`
	Username string      `json:"username"`
}

type sourceNode struct {
	Name     string        `json:"name"`
	Kids     []*sourceNode `json:"kids"`
	CLWeight float64       `json:"cl_weight"`
	Touches  int64         `json:"touches"`
	MinT     int64         `json:"min_t"`
	MaxT     int64         `json:"max_t"`
	MeanT    int64         `json:"mean_t"`
}

// A placeDocument is GeoJSON of which most properties are null.
//
//easyjson:json
type placeDocument struct {
	Type     string         `json:"type"`
	Features []placeFeature `json:"features"`
}

type placeFeature struct {
	Type       string          `json:"type"`
	ID         int64           `json:"id"`
	Properties placeProperties `json:"properties"`
	Geometry   placeGeometry   `json:"geometry"`
}

type placeProperties struct {
	Name       string   `json:"name"`
	Elevation  *float64 `json:"elevation"`
	Population *int64   `json:"population"`
	Wikidata   *string  `json:"wikidata"`
	Website    *string  `json:"website"`
	Phone      *string  `json:"phone"`
	Opened     *string  `json:"opened"`
	Closed     *string  `json:"closed"`
	Wheelchair *bool    `json:"wheelchair"`
	Capacity   *int32   `json:"capacity"`
	Operator   *string  `json:"operator"`
	Tags       []string `json:"tags"`
}

type placeGeometry struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}
