package web

import (
	"net/http"

	"github.com/hone-go/hone/json"
)

// A BindUnmarshaler decodes itself from one value of a path, query, header or
// form parameter. It takes precedence over encoding.TextUnmarshaler.
type BindUnmarshaler interface {
	UnmarshalParam(param string) error
}

// A BindingError reports one parameter that could not be bound. Its JSON is
// the field and the message. The cause is for the log only.
type BindingError struct {
	// Field is the name of the parameter.
	Field string `json:"field"`
	*HTTPError
	// Values are the parameter's values in the request.
	Values []string `json:"-"`
}

// NewBindingError returns a [*BindingError] with status 400.
func NewBindingError(sourceParam string, values []string, message string, err error) error {
	return &BindingError{
		Field:     sourceParam,
		Values:    values,
		HTTPError: &HTTPError{Code: http.StatusBadRequest, Message: message, err: err},
	}
}

func (be *BindingError) Error() string {
	return be.HTTPError.Error() + ", field=" + be.Field
}

// MarshalJSON returns the field and the message.
func (be *BindingError) MarshalJSON() ([]byte, error) {
	message := be.Message
	if message == "" {
		message = http.StatusText(be.Code)
	}
	return json.Marshal(struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	}{be.Field, message})
}
